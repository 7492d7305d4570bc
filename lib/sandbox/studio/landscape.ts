/** A quiet landscape that a prompt decides: its light, its land or sea, and where the sun stands. */
import { createHash } from "node:crypto";
import { keysOf } from "../../values/records";
import { type Canvas, mixed, pixelOf } from "./canvas";
import { type FigureName, paintFigure } from "./figures";
import { type Palette, palettes } from "./palettes";
import { type Form, forms, sceneOf } from "./scenes";

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
  readonly #figure: FigureName | null;
  readonly #number: (at: number) => number;

  constructor(canvas: Canvas, prompt: string) {
    this.#canvas = canvas;
    this.#number = numbersOf(prompt);
    const scene = sceneOf(prompt);
    const lights = keysOf(palettes);
    const light = lights[Math.floor(this.#number(0) * lights.length)] ?? "day";
    this.#palette = palettes[scene?.light ?? light];
    this.#form = scene?.form ?? forms[Math.floor(this.#number(1) * forms.length)] ?? "hills";
    this.#figure = scene?.figure ?? null;
    this.#paintSky();
    this.#still = canvas.pixels.slice();
  }

  /** Draws the frame at `seconds`. */
  paint(seconds: number): void {
    this.#canvas.pixels.set(this.#still);
    const first = this.#form === "sea" ? RIDGES - 1 : 0;
    if (this.#form === "sea") this.#paintSea(seconds);
    // On land the figure stands before the last ridge, at sea before the shore.
    for (let ridge = first; ridge < RIDGES; ridge++) {
      if (ridge === RIDGES - 1) this.#paintFigure(seconds);
      this.#paintRidge(ridge, seconds);
    }
  }

  #paintFigure(seconds: number): void {
    if (this.#figure === null) return;
    const { width, height } = this.#canvas;
    const { land, light } = this.#palette;
    const across = 0.3 + 0.4 * this.#number(5);
    paintFigure(this.#figure, {
      canvas: this.#canvas,
      x: width * across,
      base: height * (this.#edge(RIDGES - 1, across, seconds) + 0.02),
      unit: Math.min(width, height) * 0.042,
      colour: mixed(land[1], [0, 0, 0], 0.35),
      lamp: light,
      seconds,
    });
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
