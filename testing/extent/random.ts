/** Random numbers from a seed, so that a run's schedule can be repeated. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  between(min: number, max: number): number;
  /** One of the options, by their weights. */
  pick<T>(options: readonly (readonly [option: T, weight: number])[]): T;
}

/** The generator "mulberry32". */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick(options) {
      let left = next() * options.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [option, weight] of options) {
        left -= weight;
        if (left < 0) return option;
      }
      const [last] = options.slice(-1);
      if (last === undefined) throw new Error("there is nothing to pick from");
      return last[0];
    },
  };
}
