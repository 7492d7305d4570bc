const SPREAD = 0.2;

/** A time up to a fifth shorter or longer, so that what began together does not go on together. */
export const spread = (time: number, random: () => number): number =>
  time * (1 - SPREAD + 2 * SPREAD * random());
