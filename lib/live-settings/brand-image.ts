/** The operator's logo and icon: a PNG or an SVG, as a data URL in the settings. */
import { createHash } from "node:crypto";
import { BRAND_FILE_BYTES_MAX, BRAND_IMAGE_PIXELS_MAX } from "../contract/limits";

export interface BrandImage {
  readonly type: "image/png" | "image/svg+xml";
  readonly bytes: Buffer<ArrayBuffer>;
  /** In pixels, or in the units of the SVG. */
  readonly width: number;
  readonly height: number;
  /** Of its bytes: the name under which browsers keep it. */
  readonly hash: string;
}

/** An image, or what is wrong with it. */
type Read<Image> = Image | { readonly problem: string };
type Size = Pick<BrandImage, "width" | "height">;

const dataUrl = /^data:(image\/png|image\/svg\+xml);base64,([A-Za-z0-9+/]+={0,2})$/;
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function pngSize(bytes: Buffer): Read<Size> {
  if (!bytes.subarray(0, 8).equals(PNG_START) || bytes.toString("latin1", 12, 16) !== "IHDR")
    return { problem: "it is no PNG" };
  if (bytes.length < 24) return { problem: "it is cut" };
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** What an SVG could run or load. Browsers are told to run nothing too, wherever it is opened. */
const dangers: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/<!(?:DOCTYPE|ENTITY)/i, "a document type"],
  [
    /<(?:[\w-]{1,40}:)?(?:script|foreignObject|iframe|object|embed|handler)\b/i,
    "a script or a page",
  ],
  [/\son[a-z]{1,40}\s?=/i, "an event handler"],
  [/(?:href\s?=\s?["']|url\(["']?)(?!#|data:image\/)/i, "an address outside of it"],
  [/@import/i, "an address outside of it"],
];

const viewBox =
  /\sviewBox\s?=\s?["']\s?[-\d.e]{1,20}[\s,]{1,3}[-\d.e]{1,20}[\s,]{1,3}([\d.e]{1,20})[\s,]{1,3}([\d.e]{1,20})\s?["']/;
const widthIn = /\swidth\s?=\s?["']([\d.]{1,20})(?:px)?["']/;
const heightIn = /\sheight\s?=\s?["']([\d.]{1,20})(?:px)?["']/;

function svgSize(bytes: Buffer): Read<Size> {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) return { problem: "it is not UTF-8" };
  const start = text.indexOf("<svg");
  const root = start < 0 ? "" : text.slice(start, text.indexOf(">", start));
  if (!/^\s*</.test(text) || !root.includes('"http://www.w3.org/2000/svg"'))
    return { problem: "it is no SVG" };
  for (const [pattern, what] of dangers)
    if (pattern.test(text)) return { problem: `the SVG contains ${what}` };
  const box = viewBox.exec(root);
  const width = Number(box?.[1] ?? widthIn.exec(root)?.[1]);
  const height = Number(box?.[2] ?? heightIn.exec(root)?.[1]);
  if (!(width > 0 && height > 0)) return { problem: "the SVG has no viewBox" };
  return { width, height };
}

/** `isIcon`: a square, of at least 32 pixels if it is a PNG. */
export function readBrandImage(value: string, isIcon: boolean): Read<BrandImage> {
  const [, type, encoded = ""] = dataUrl.exec(value) ?? [];
  if (type !== "image/png" && type !== "image/svg+xml") return { problem: "it is no data URL" };
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length > BRAND_FILE_BYTES_MAX) return { problem: `it has ${bytes.length} bytes` };
  const size = type === "image/png" ? pngSize(bytes) : svgSize(bytes);
  if ("problem" in size) return size;
  const { width, height } = size;
  const shown = `it has ${width} × ${height}`;
  if (type === "image/png" && Math.max(width, height) > BRAND_IMAGE_PIXELS_MAX)
    return { problem: shown };
  if (width < 1 || height < 1) return { problem: shown };
  if (isIcon && width !== height) return { problem: `${shown}, which is no square` };
  return imageOf(type, bytes, size);
}

export function imageOf(
  type: BrandImage["type"],
  bytes: Buffer<ArrayBuffer>,
  { width, height }: Size,
): BrandImage {
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
  return { type, bytes, width, height, hash };
}

/** The image of a setting; null where none is set. */
export function brandImage(value: string): BrandImage | null {
  if (value === "") return null;
  const image = readBrandImage(value, false);
  return "problem" in image ? null : image;
}
