/** The lights in which a landscape is drawn. */
import type { Colour } from "./canvas";

export interface Palette {
  readonly sky: readonly [top: Colour, horizon: Colour];
  /** The sun or the moon. */
  readonly light: Colour;
  readonly land: readonly [far: Colour, near: Colour];
  readonly hasStars?: boolean;
}

export const palettes = {
  dusk: {
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
  day: {
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
  night: {
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
  desert: {
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
  meadow: {
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
  lagoon: {
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
  snow: {
    sky: [
      [148, 176, 206],
      [236, 238, 244],
    ],
    light: [255, 252, 244],
    land: [
      [214, 224, 236],
      [96, 118, 146],
    ],
  },
  storm: {
    sky: [
      [44, 52, 62],
      [120, 132, 140],
    ],
    light: [206, 214, 220],
    land: [
      [82, 96, 106],
      [20, 28, 36],
    ],
  },
} as const satisfies Readonly<Record<string, Palette>>;

export type LightName = keyof typeof palettes;
