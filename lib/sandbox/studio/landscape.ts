/** A quiet landscape that a prompt decides: its light, its land or sea, and where the sun stands. */
import { createHash } from "node:crypto";
import { type Canvas, type Colour, mixed, pixelOf } from "./canvas";

interface Palette {
  readonly sky: readonly [top: Colour, horizon: Colour];
  /** The sun or the moon. */
  readonly light: Colour;
  readonly land: readonly [far: Colour, near: Colour];
  readonly hasStars?: boolean;
}

const palettes: readonly Palette[] = [
  {
    sky: [
      [38, 46, 84],
      [238, 152, 108],
    ],
    light: [255, 222, 168],
    land: [
      [142, 92, 106],
      [26, 27, 46],
    ],
  },
  {
    sky: [
      [168, 201, 226],
      [250, 236, 214],
    ],
    light: [255, 247, 224],
    land: [
      [166, 190, 206],
      [44, 70, 82],
    ],
  },
  {
    sky: [
      [10, 14, 36],
      [48, 62, 110],
    ],
    light: [232, 236, 246],
    land: [
      [42, 54, 98],
      [9, 12, 27],
    ],
    hasStars: true,
  },
  {
    sky: [
      [126, 190, 204],
      [246, 222, 176],
    ],
    light: [255, 246, 214],
    land: [
      [230, 190, 128],
      [132, 74, 36],
    ],
  },
  {
    sky: [
      [178, 212, 196],
      [240, 244, 222],
    ],
    light: [255, 252, 228],
    land: [
      [160, 196, 162],
      [28, 58, 44],
    ],
  },
  {
    sky: [
      [30, 74, 92],
      [176, 216, 204],
    ],
    light: [246, 244, 222],
    land: [
      [70, 130, 138],
      [12, 44, 58],
    ],
  },
];

const forms = ["hills", "peaks", "sea"] as const;
type Form = (typeof forms)[number];

const RIDGES = 4;
const STARS = 90;
const TURN = 2 * Math.PI;

/** From -1 to 1 and back, in straight lines. */
const zigzag = (turns: number) => {
  const part = turns - Math.floor(turns);
  return 1 - 4 * Math.abs(part - 0.5);
};
const wave = (turns: number) => Math.sin(TURN * turns);

/** Numbers from 0 to 1 that follow from a text. */
function numbersOf(text: string): (at: number) => number {
  const seed = createHash("sha256").update(text).digest();
  return (at) => seed.readUInt8(at % seed.length) / 256;
}

export class Landscape {
  readonly #canvas: Canvas;
  readonly #still: Uint8Array;
  readonly #palette: Palette;
  readonly #form: Form;
  readonly #number: (at: number) => number;

  constructor(canvas: Canvas, prompt: string) {
    this.#canvas = canvas;
    this.#number = numbersOf(prompt);
    this.#palette = palettes[Math.floor(this.#number(0) * palettes.length)] ?? nonePalette();
    this.#form = forms[Math.floor(this.#number(1) * forms.length)] ?? "hills";
    this.#paintSky();
    this.#still = canvas.pixels.slice();
  }

  /** Draws the frame at `seconds`. */
  paint(seconds: number): void {
    this.#canvas.pixels.set(this.#still);
    const first = this.#form === "sea" ? RIDGES - 1 : 0;
    if (this.#form === "sea") this.#paintSea(seconds);
    for (let ridge = first; ridge < RIDGES; ridge++) this.#paintRidge(ridge, seconds);
  }

  get #light() {
    const { width, height } = this.#canvas;
    return {
      x: width * (0.2 + 0.6 * this.#number(2)),
      y: height * (0.2 + 0.22 * this.#number(3)),
      radius: Math.min(width, height) * (0.05 + 0.05 * this.#number(4)),
    };
  }

  #paintSky(): void {
    const { width, height, words } = this.#canvas;
    const { sky, light, hasStars } = this.#palette;
    const horizon = height * 0.75;
    for (let y = 0; y < height; y++) {
      const pixel = pixelOf(mixed(sky[0], sky[1], Math.min(1, y / horizon)));
      words.fill(pixel, y * width, (y + 1) * width);
    }
    for (let star = 0; hasStars && star < STARS; star++) {
      const [x, y] = [(star * 0.618_034) % 1, (star * 0.754_878) % 0.6];
      const size = Math.max(1, (width / 600) * (0.6 + (star % 3) * 0.4));
      this.#canvas.disc(x * width, y * height, size, light, 0.35 + (star % 4) * 0.15);
    }
    const { x, y, radius } = this.#light;
    for (const [size, share] of [
      [4.2, 0.06],
      [3.1, 0.08],
      [2.2, 0.11],
      [1.5, 0.16],
      [1, 1],
    ] as const)
      this.#canvas.disc(x, y, radius * size, light, share);
  }

  /** The height of a ridge's edge at a column, from 0 at the top to 1. */
  #edge(ridge: number, x: number, seconds: number): number {
    const number = this.#number;
    const start = number(8 + ridge) + seconds * 0.006 * (ridge + 1);
    const base = this.#form === "sea" ? 0.86 : 0.52 + 0.13 * ridge;
    const rise = 0.13 - 0.022 * ridge;
    const broad = 0.9 + 0.5 * number(12 + ridge);
    if (this.#form === "peaks" && ridge < RIDGES - 1)
      return base - rise * (0.75 * zigzag(broad * 1.6 * x + start) + 0.3 * zigzag(5.3 * x + start));
    return base - rise * (0.7 * wave(broad * x + start) + 0.3 * wave(2.7 * x + 1.6 * start));
  }

  #paintRidge(ridge: number, seconds: number): void {
    const { width, height, words } = this.#canvas;
    const { land, sky } = this.#palette;
    const own = mixed(land[0], land[1], ridge / (RIDGES - 1));
    // The foot of a far ridge is in haze.
    const foot = mixed(own, sky[1], 0.45 * (1 - ridge / (RIDGES - 1)));
    const top = Math.max(0, Math.floor(height * (0.3 + 0.1 * ridge)));
    const shades = Uint32Array.from({ length: height }, (_, y) =>
      pixelOf(mixed(own, foot, Math.max(0, (y - top) / (height - top)))),
    );
    const edges = Float64Array.from(
      { length: width },
      (_, x) => height * this.#edge(ridge, x / width, seconds),
    );
    for (let y = top; y < height; y++) {
      const shade = shades[y] ?? 0;
      const row = y * width;
      for (let x = 0; x < width; x++) if (y >= (edges[x] ?? 0)) words[row + x] = shade;
    }
  }

  /** Water below the horizon, with the light's reflection in rows. */
  #paintSea(seconds: number): void {
    const { width, height } = this.#canvas;
    const { sky, land, light } = this.#palette;
    const horizon = Math.round(height * 0.56);
    const [far, near] = [mixed(sky[1], land[0], 0.45), mixed(land[0], land[1], 0.8)];
    const step = Math.max(2, Math.round(height / 90));
    for (let y = horizon; y < height; y += step) {
      const depth = (y - horizon) / (height - horizon);
      const water = mixed(far, near, depth);
      this.#canvas.rectangle(0, y, width, y + step, water);
      const row = (y - horizon) / step;
      const glint = 0.5 + 0.5 * wave(row * 0.371 + seconds * 0.35);
      const half = width * (0.012 + 0.09 * depth) * glint;
      const x = this.#light.x + width * 0.02 * wave(row * 0.217 + seconds * 0.2);
      const shine = mixed(water, light, 0.75 * (1 - 0.7 * depth));
      this.#canvas.rectangle(x - half, y, x + half, y + Math.max(1, step / 2), shine);
    }
  }
}

function nonePalette(): never {
  throw new RangeError("The palette's number is out of range.");
}
