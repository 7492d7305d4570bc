/** The lights in which a landscape is drawn. */
import type { Colour } from "./canvas";

export interface Palette {
  readonly sky: readonly [top: Colour, horizon: Colour];
  /** The sun or the moon. */
  readonly light: Colour;
  readonly land: readonly [far: Colour, near: Colour];
  readonly hasStars?: boolean;
}

/** The sky at its top and its horizon, the sun or the moon, the land far and near. */
const palette = (
  top: Colour,
  horizon: Colour,
  light: Colour,
  far: Colour,
  near: Colour,
): Palette => ({
  sky: [top, horizon],
  light,
  land: [far, near],
});

export const palettes = {
  dusk: palette([38, 46, 84], [238, 152, 108], [255, 222, 168], [142, 92, 106], [26, 27, 46]),
  day: palette([168, 201, 226], [250, 236, 214], [255, 247, 224], [166, 190, 206], [44, 70, 82]),
  night: {
    ...palette([10, 14, 36], [48, 62, 110], [232, 236, 246], [42, 54, 98], [9, 12, 27]),
    hasStars: true,
  },
  desert: palette(
    [126, 190, 204],
    [246, 222, 176],
    [255, 246, 214],
    [230, 190, 128],
    [132, 74, 36],
  ),
  meadow: palette([178, 212, 196], [240, 244, 222], [255, 252, 228], [160, 196, 162], [28, 58, 44]),
  lagoon: palette([30, 74, 92], [176, 216, 204], [246, 244, 222], [70, 130, 138], [12, 44, 58]),
  snow: palette([148, 176, 206], [236, 238, 244], [255, 252, 244], [214, 224, 236], [96, 118, 146]),
  storm: palette([44, 52, 62], [120, 132, 140], [206, 214, 220], [82, 96, 106], [20, 28, 36]),
} satisfies Readonly<Record<string, Palette>>;

export type LightName = keyof typeof palettes;
