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

/** Resolves with whether the first of two events is this one, and not an error. */
const happens = (target: EventTarget, event: string): Promise<boolean> =>
  new Promise((resolve) => {
    const once = { once: true };
    target.addEventListener(event, () => resolve(true), once);
    target.addEventListener("error", () => resolve(false), once);
  });

/** The picture at a path of this site; null where it cannot be read. */
export async function pictureAt(path: string): Promise<string | null> {
  const image = new Image();
  const loading = happens(image, "load");
  image.src = path;
  return (await loading) ? pictureShownBy(image) : null;
}

/** A film's last frame is shown until its end, so a moment before it is enough. */
const BEFORE_END_SECONDS = 0.02;

/** The last frame of the film at a path of this site; null where it cannot be read. */
export async function lastPictureAt(path: string): Promise<string | null> {
  const film = document.createElement("video");
  film.muted = true;
  film.preload = "auto";
  const loading = happens(film, "loadeddata");
  film.src = path;
  if (!(await loading)) return null;
  const seeking = happens(film, "seeked");
  film.currentTime = Math.max(0, film.duration - BEFORE_END_SECONDS);
  return (await seeking) ? pictureShownBy(film) : null;
}
