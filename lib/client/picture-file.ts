/** Pictures of this device, and of the page, as the addresses that a request takes. */
import { imageAddress } from "../contract/media-fields";

/** Four of them fit into a request. */
export const FILE_MEBIBYTES_MAX = 5;
const BYTES_MAX = FILE_MEBIBYTES_MAX * 1024 * 1024;
const QUALITY = 0.92;

function readFile(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

/** The address of a file; null where it is no image that a request takes. */
export async function pictureOf(file: File): Promise<string | null> {
  if (file.size > BYTES_MAX) return null;
  const address = await readFile(file).catch(() => "");
  return imageAddress.safeParse(address).success ? address : null;
}

/** The image files of a paste or a drop. */
export const imageFilesOf = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));

/** What a picture or a film of this page shows now; null while it shows nothing. */
export function pictureShownBy(element: HTMLVideoElement | HTMLImageElement): string | null {
  const isFilm = element instanceof HTMLVideoElement;
  const width = isFilm ? element.videoWidth : element.naturalWidth;
  const height = isFilm ? element.videoHeight : element.naturalHeight;
  if (width === 0 || height === 0) return null;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext("2d")?.drawImage(element, 0, 0);
  return canvas.toDataURL("image/jpeg", QUALITY);
}

let handedOver: string | null = null;

/** Keeps a picture for the form of another page of this visit. */
export function handOverPicture(address: string): void {
  handedOver = address;
}

/** The picture that was kept for this page, once. */
export function takePicture(): string | null {
  const address = handedOver;
  handedOver = null;
  return address;
}
