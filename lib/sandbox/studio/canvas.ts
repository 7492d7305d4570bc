import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphRows } from "./bitmap-font";

export type Colour = readonly [red: number, green: number, blue: number];

/** The colour as a pixel: RGBA bytes in the order of the machine's words. */
export const pixelOf = ([red, green, blue]: Colour): number =>
  ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** `share` of the second colour, the rest of the first. */
export const mixed = (one: Colour, other: Colour, share: number): Colour => [
  Math.round(one[0] + (other[0] - one[0]) * share),
  Math.round(one[1] + (other[1] - one[1]) * share),
  Math.round(one[2] + (other[2] - one[2]) * share),
];

/** RGBA pixels, row by row. */
export class Canvas {
  readonly pixels: Uint8Array;
  /** The same pixels, one word each. */
  readonly words: Uint32Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.pixels = new Uint8Array(width * height * 4);
    this.words = new Uint32Array(this.pixels.buffer);
  }

  rectangle(left: number, top: number, right: number, bottom: number, colour: Colour): void {
    const { width, height } = this;
    const [from, to] = [Math.max(0, Math.round(left)), Math.min(width, Math.round(right))];
    if (from >= to) return;
    const pixel = pixelOf(colour);
    for (let y = Math.max(0, Math.round(top)); y < Math.min(height, Math.round(bottom)); y++)
      this.words.fill(pixel, y * width + from, y * width + to);
  }

  /** A disc whose colour is mixed with what is below it. */
  disc(centreX: number, centreY: number, radius: number, colour: Colour, share: number): void {
    const { width, height, pixels } = this;
    const bottom = Math.min(height - 1, Math.floor(centreY + radius));
    for (let y = Math.max(0, Math.ceil(centreY - radius)); y <= bottom; y++) {
      const half = Math.sqrt(Math.max(0, radius * radius - (y - centreY) ** 2));
      const right = Math.min(width - 1, Math.floor(centreX + half));
      for (let x = Math.max(0, Math.ceil(centreX - half)); x <= right; x++) {
        const at = (y * width + x) * 4;
        for (const part of [0, 1, 2] as const) {
          const below = pixels[at + part] ?? 0;
          pixels[at + part] = Math.round(below + (colour[part] - below) * share);
        }
      }
    }
  }

  text(text: string, left: number, top: number, scale: number, colour: Colour): void {
    let x = left;
    for (const character of text) {
      for (const [row, bits] of glyphRows(character).entries()) {
        for (let column = 0; column < GLYPH_WIDTH; column++) {
          if (!((bits >> (GLYPH_WIDTH - 1 - column)) & 1)) continue;
          const [cellX, cellY] = [x + column * scale, top + row * scale];
          this.rectangle(cellX, cellY, cellX + scale, cellY + scale, colour);
        }
      }
      x += (GLYPH_WIDTH + 1) * scale;
    }
  }

  /** Text on a dark label, whose corner is at (`left`, `top`). */
  label(text: string, left: number, top: number, scale: number): void {
    const width = (text.length * (GLYPH_WIDTH + 1) + 5) * scale;
    this.rectangle(left, top, left + width, top + LABEL_HEIGHT * scale, [16, 16, 16]);
    this.text(text, left + 3 * scale, top + 3 * scale, scale, [240, 240, 240]);
  }
}

/** Of a label at scale 1, in pixels. */
export const LABEL_HEIGHT = GLYPH_HEIGHT + 6;
/** Of a character of a label at scale 1, in pixels. */
export const CHARACTER_WIDTH = GLYPH_WIDTH + 1;
