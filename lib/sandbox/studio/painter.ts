/**
 * Draws the sandbox's images: colours and shapes derived from the prompt, and a label that says
 * what it is.
 */
import { createHash } from "node:crypto";
import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphRows } from "./bitmap-font";

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly prompt: string;
}

type Colour = readonly [red: number, green: number, blue: number];

const BALLS = 3;
const CAPTION_CHARACTERS_MAX = 48;

/** A bright colour for each hue from 0 to 1. */
function colourOf(hue: number, lightness: number): Colour {
  const part = (shift: number) => {
    const place = (hue * 12 + shift) % 12;
    return Math.round(
      255 *
        (lightness -
          0.45 *
            Math.min(lightness, 1 - lightness) *
            Math.max(-1, Math.min(place - 3, 9 - place, 1))),
    );
  };
  return [part(0), part(8), part(4)];
}

/** A canvas of RGBA bytes on which the frames of one scene are drawn one after the other. */
export class Painter {
  readonly pixels: Uint8Array;
  readonly #background: Uint8Array;
  readonly #balls: readonly {
    readonly colour: Colour;
    readonly radius: number;
    readonly phase: number;
    readonly speed: number;
  }[];

  constructor(readonly scene: Scene) {
    const seed = createHash("sha256").update(scene.prompt).digest();
    const { width, height } = scene;
    const hue = seed.readUInt8(0) / 256;
    this.#balls = Array.from({ length: BALLS }, (_, index) => ({
      colour: colourOf((hue + 0.3 + 0.2 * index) % 1, 0.62),
      radius: Math.min(width, height) * (0.08 + seed.readUInt8(index + 1) / 2560),
      phase: seed.readUInt8(index + 4) / 256,
      speed: 0.12 + seed.readUInt8(index + 7) / 1024,
    }));
    this.#background = this.#paintBackground(colourOf(hue, 0.2), colourOf((hue + 0.12) % 1, 0.42));
    this.pixels = new Uint8Array(this.#background);
  }

  /** Draws the frame at `seconds` into `pixels`. */
  paint(seconds: number): void {
    this.pixels.set(this.#background);
    const { width, height } = this.scene;
    for (const { colour, radius, phase, speed } of this.#balls) {
      const swing = (phase + seconds * speed) * 2 * Math.PI;
      this.#disc(
        width * (0.5 + 0.38 * Math.cos(swing)),
        height * (0.5 + 0.34 * Math.sin(swing * 2 + phase)),
        radius,
        colour,
      );
    }
    this.#mark();
  }

  #paintBackground(top: Colour, bottom: Colour): Uint8Array {
    const { width, height } = this.scene;
    const bytes = new Uint8Array(width * height * 4);
    const words = new Uint32Array(bytes.buffer);
    for (let y = 0; y < height; y++) {
      const share = y / height;
      const mixed = (part: 0 | 1 | 2) => Math.round(top[part] + (bottom[part] - top[part]) * share);
      words.fill(
        (255 << 24) | (mixed(2) << 16) | (mixed(1) << 8) | mixed(0),
        y * width,
        (y + 1) * width,
      );
    }
    return bytes;
  }

  #rectangle(
    left: number,
    top: number,
    right: number,
    bottom: number,
    [red, green, blue]: Colour,
  ): void {
    const { width, height } = this.scene;
    const words = new Uint32Array(this.pixels.buffer);
    const colour = (255 << 24) | (blue << 16) | (green << 8) | red;
    const [from, to] = [Math.max(0, Math.round(left)), Math.min(width, Math.round(right))];
    if (from >= to) return;
    for (let y = Math.max(0, Math.round(top)); y < Math.min(height, Math.round(bottom)); y++)
      words.fill(colour, y * width + from, y * width + to);
  }

  #disc(centreX: number, centreY: number, radius: number, colour: Colour): void {
    for (let y = Math.floor(centreY - radius); y <= centreY + radius; y++) {
      const half = Math.sqrt(Math.max(0, radius * radius - (y - centreY) ** 2));
      this.#rectangle(centreX - half, y, centreX + half, y + 1, colour);
    }
  }

  #text(text: string, left: number, top: number, scale: number, colour: Colour): void {
    let x = left;
    for (const character of text) {
      for (const [row, bits] of glyphRows(character).entries()) {
        for (let column = 0; column < GLYPH_WIDTH; column++) {
          if (!((bits >> (GLYPH_WIDTH - 1 - column)) & 1)) continue;
          this.#rectangle(
            x + column * scale,
            top + row * scale,
            x + (column + 1) * scale,
            top + (row + 1) * scale,
            colour,
          );
        }
      }
      x += (GLYPH_WIDTH + 1) * scale;
    }
  }

  /** Draws "SANDBOX" at the top and the start of the prompt at the bottom, each on a dark band. */
  #mark(): void {
    const { width, height, prompt } = this.scene;
    const scale = Math.max(1, Math.floor(width / 160));
    const line = (GLYPH_HEIGHT + 4) * scale;
    this.#rectangle(0, 0, width, line, [16, 16, 16]);
    this.#text("SANDBOX  NOT A REAL MODEL", 3 * scale, 2 * scale, scale, [255, 255, 255]);
    const small = Math.max(1, Math.floor(scale / 2));
    const fitting = Math.floor((width - 6 * small) / ((GLYPH_WIDTH + 1) * small));
    const caption = prompt
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, Math.min(fitting, CAPTION_CHARACTERS_MAX));
    const captionTop = height - (GLYPH_HEIGHT + 4) * small;
    this.#rectangle(0, captionTop, width, height, [16, 16, 16]);
    this.#text(caption, 3 * small, captionTop + 2 * small, small, [235, 235, 235]);
  }
}
