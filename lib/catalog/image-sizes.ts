import type { ImageModel } from "./model";

/** Tokens of an image: its pixels / 256, rounded. */
export function imageTokens(width: number, height: number): number {
  return Math.round((width * height) / 256);
}

/** Parses `2048x2048`; null when the text has another form. */
export function parseImageSize(text: string): readonly [width: number, height: number] | null {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : null;
}

const divisorOf = (one: number, other: number): number =>
  other === 0 ? one : divisorOf(other, one % other);

/** The sizes by their ratio, such as `3:2`; of several with one ratio, the first. */
export function ratioSizesOf(sizes: readonly string[]): Record<string, string> {
  const byRatio: Record<string, string> = {};
  for (const size of sizes) {
    const [width = 1, height = 1] = parseImageSize(size) ?? [];
    const divisor = divisorOf(width, height);
    byRatio[`${width / divisor}:${height / divisor}`] ??= size;
  }
  return byRatio;
}

export function makesSize(
  { sizes, sidePixelsMin, sidePixelsMax, pixelsMax }: ImageModel,
  [width, height]: readonly [width: number, height: number],
): boolean {
  if (sizes !== null) return sizes.includes(`${width}x${height}`);
  const sides = [width, height];
  return (
    sides.every((side) => side >= sidePixelsMin && side <= sidePixelsMax) &&
    width * height <= pixelsMax
  );
}

/** A size for people, such as `2048 × 2048`; a preset such as `2K` as it is. */
export const sizeText = (size: string): string => size.replace(/^(\d{1,5})x(\d{1,5})$/, "$1 × $2");

/** A number of pixels as the square that it is, such as `4096 × 4096`, or else as it is. */
export function pixelsText(pixels: number): string {
  const side = Math.sqrt(pixels);
  return Number.isInteger(side) ? sizeText(`${side}x${side}`) : `${pixels} px`;
}
