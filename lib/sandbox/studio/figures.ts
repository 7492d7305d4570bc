/** Figures of a scene, as silhouettes that stand on `base` around `x`; `unit` is a tenth of their height. */
import type { Canvas, Colour } from "./canvas";

export interface Place {
  readonly canvas: Canvas;
  readonly x: number;
  readonly base: number;
  readonly unit: number;
  readonly colour: Colour;
  /** Of windows and lamps. */
  readonly lamp: Colour;
  readonly seconds: number;
}

/** A box by its middle, its foot, its width and its height, in units from the figure's foot. */
function box(
  { canvas, x, base, unit, colour }: Place,
  at: number,
  up: number,
  wide: number,
  high: number,
  own = colour,
): void {
  const [left, foot] = [x + (at - wide / 2) * unit, base - up * unit];
  canvas.rectangle(left, foot - high * unit, left + wide * unit, foot, own);
}

/** A triangle that ends in a point above the middle of its foot. */
function roof(place: Place, at: number, up: number, wide: number, high: number): void {
  const rows = Math.max(1, Math.round(high * place.unit));
  for (let row = 0; row < rows; row++) {
    const share = 1 - row / rows;
    box(place, at, up + row / place.unit, wide * share, 1.5 / place.unit);
  }
}

function ball(
  { canvas, x, base, unit, colour }: Place,
  at: number,
  up: number,
  radius: number,
  own = colour,
  share = 1,
): void {
  canvas.disc(x + at * unit, base - up * unit, radius * unit, own, share);
}

const draw = {
  tower(place) {
    for (let step = 0; step < 7; step++) box(place, 0, step, 2 - step * 0.12, 1.05);
    box(place, 0, 7, 2, 0.3);
    box(place, 0, 7.3, 0.9, 1, place.lamp);
    roof(place, 0, 8.3, 1.6, 1);
    ball(place, 0, 7.8, 2.4 + 0.4 * Math.sin(place.seconds * 2), place.lamp, 0.16);
  },
  animal(place) {
    const step = 0.25 * Math.sin(place.seconds * 4);
    box(place, 0, 1.2, 3.4, 1.3);
    ball(place, 1.9, 2.7, 0.8);
    roof(place, 1.6, 3.2, 0.5, 0.7);
    roof(place, 2.2, 3.2, 0.5, 0.7);
    for (const at of [-1.4, -0.9, 0.9, 1.4])
      box(place, at + (Math.abs(at) > 1 ? step : -step), 0, 0.32, 1.4);
    for (let part = 0; part < 6; part++) ball(place, -1.8 - part * 0.25, 2.2 + part * 0.2, 0.35);
  },
  whale(place) {
    const up = 0.4 * Math.sin(place.seconds);
    for (let part = 0; part < 12; part++)
      ball(place, part * 0.35 - 1.6, 0.9 + up, 1.9 - part * 0.14);
    for (const side of [-1, 1])
      for (let part = 0; part < 5; part++)
        ball(place, 2.3 + side * part * 0.16, 1 + up + part * 0.18, 0.3);
    for (let drop = 0; drop < 7; drop++)
      ball(place, -1.6 + Math.sin(drop * 2) * 0.5, 3 + up + drop * 0.3, 0.16, place.lamp, 0.7);
  },
  cactus(place) {
    box(place, 0, 0, 0.9, 6);
    ball(place, 0, 6, 0.45);
    for (const [side, up] of [
      [-1, 2.2],
      [1, 3],
    ] as const) {
      box(place, side * 0.9, up, 1.4, 0.6);
      box(place, side * 1.5, up, 0.6, 2);
      ball(place, side * 1.5, up + 2, 0.3);
    }
  },
  city(place) {
    for (let at = -8; at <= 8; at++) {
      const high = 3 + ((at * at * 7 + at * 3 + 40) % 9) * 0.7;
      box(place, at * 1.3, 0, 1.2, high);
      for (let up = 0.8; up < high - 0.6; up += 1.1)
        if ((at * 5 + Math.round(up * 10)) % 3 !== 0)
          box(place, at * 1.3, up, 0.35, 0.35, place.lamp);
    }
  },
  castle(place) {
    box(place, 0, 0, 6, 3.2);
    for (const at of [-3, 0, 3]) {
      box(place, at, 0, 1.5, at === 0 ? 6 : 4.6);
      roof(place, at, at === 0 ? 6 : 4.6, 1.9, 2);
      box(place, at, 3.2, 0.35, 0.7, place.lamp);
    }
  },
  mill(place) {
    for (let step = 0; step < 6; step++) box(place, 0, step, 2 - step * 0.16, 1.05);
    for (let sail = 0; sail < 4; sail++) {
      const turn = place.seconds * 0.9 + (sail * Math.PI) / 2;
      for (let part = 0; part < 14; part++)
        ball(place, Math.cos(turn) * part * 0.26, 6 + Math.sin(turn) * part * 0.26, 0.22);
    }
  },
  balloon(place) {
    const up = 9 + 0.4 * Math.sin(place.seconds);
    ball(place, 0, up, 2.2);
    ball(place, -0.6, up + 0.6, 0.9, place.lamp, 0.35);
    box(place, 0, up - 3.6, 0.9, 0.7);
    for (const at of [-0.4, 0.4]) box(place, at, up - 3, 0.06, 1.6);
  },
  rocket(place) {
    const up = 2.5 + place.seconds * 0.25;
    box(place, 0, up, 1.2, 5);
    roof(place, 0, up + 5, 1.2, 1.8);
    roof(place, 0, up, 2.8, 1.8);
    ball(place, 0, up + 3.8, 0.35, place.lamp);
    for (let part = 0; part < 5; part++)
      ball(place, 0, up - 0.5 * part, 0.7 - 0.1 * part, place.lamp, 0.5);
  },
  boat(place) {
    const sway = 0.25 * Math.sin(place.seconds * 1.2);
    for (let row = 0; row < 5; row++) box(place, 0, row * 0.22 + sway, 3.4 + row * 0.35, 0.25);
    box(place, 0, 1.1 + sway, 0.14, 5.4);
    roof(place, 1, 1.6 + sway, 1.8, 4.4);
    roof(place, -0.8, 1.6 + sway, 1.3, 3.2);
  },
  birds(place) {
    for (let bird = 0; bird < 7; bird++) {
      const [at, up] = [(bird - 3) * 2.1 + place.seconds * 0.4, 8 + ((bird * 5) % 4) * 0.9];
      const flap = 0.28 * Math.sin(place.seconds * 5 + bird);
      for (let part = -4; part <= 4; part++)
        ball(place, at + part * 0.15, up + Math.abs(part) * (0.1 + flap * 0.2), 0.11);
    }
  },
  house(place) {
    for (const [at, size] of [
      [-3.4, 0.8],
      [0, 1.1],
      [3.3, 0.9],
    ] as const) {
      box(place, at, 0, 2.4 * size, 2 * size);
      roof(place, at, 2 * size, 3.1 * size, 1.6 * size);
      box(place, at, 0.7 * size, 0.5, 0.6, place.lamp);
    }
  },
  bridge(place) {
    box(place, 0, 3, 40, 0.5);
    for (let at = -12; at <= 12; at += 4) box(place, at, 0, 0.7, 3.2);
    const front = ((place.seconds * 1.5) % 24) - 12;
    for (let car = 0; car < 4; car++) box(place, front - car * 2, 3.6, 1.8, 1.1);
  },
  pines(place) {
    for (const [at, size] of [
      [-5, 0.8],
      [-2.6, 1.1],
      [0, 0.9],
      [2.4, 1.2],
      [5, 0.85],
    ] as const)
      for (const up of [0.4, 2, 3.6])
        roof(place, at, up * size, (3.2 - up * 0.5) * size, 2.6 * size);
  },
  tree(place) {
    box(place, 0, 0, 0.7, 4);
    const sway = 0.12 * Math.sin(place.seconds);
    for (const [at, up, radius] of [
      [0, 5.6, 2],
      [-1.5, 4.8, 1.4],
      [1.5, 4.9, 1.5],
      [0.3, 7, 1.2],
    ] as const)
      ball(place, at + sway, up, radius);
  },
  person(place) {
    const step = 0.35 * Math.sin(place.seconds * 3);
    ball(place, 0, 6.4, 0.7);
    box(place, 0, 2.8, 1.4, 2.9);
    for (const side of [-1, 1]) {
      box(place, side * (0.4 + step * 0.4), 0, 0.5, 2.9);
      box(place, side * 0.95, 3.1, 0.35, 2.4);
    }
  },
} satisfies Readonly<Record<string, (place: Place) => void>>;

export type FigureName = keyof typeof draw;

export function paintFigure(name: FigureName, place: Place): void {
  draw[name](place);
}
