/** Random choices that a seed decides: the same seed makes the same choices. */
export interface Random {
  /** From 0 on, below 1. */
  next(): number;
  between(least: number, most: number): number;
  /** Both bounds are included. */
  whole(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** A choice by weight. */
  weighted<T>(choices: readonly (readonly [choice: T, weight: number])[]): T;
  /** Around `median`; two thirds of the values lie within the factor e^`spread`. */
  around(median: number, spread: number): number;
  /** How many of many rare events happen where `mean` are expected. */
  count(mean: number): number;
  /** Choices of their own, which draws from this one do not change. */
  part(name: string): Random;
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return hash >>> 0;
}

/** The generator mulberry32. */
function drawsOf(seed: string): () => number {
  let state = hashOf(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function createRandom(seed: string): Random {
  const next = drawsOf(seed);
  /** From the standard normal distribution. */
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (share) => next() < share,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    weighted(choices) {
      let rest = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        rest -= weight;
        if (rest < 0) return choice;
      }
      throw new RangeError("no choice has a weight");
    },
    around: (median, spread) => median * Math.exp(normal() * spread),
    count(mean) {
      if (mean > 30) return Math.max(0, Math.round(mean + normal() * Math.sqrt(mean)));
      const least = Math.exp(-mean);
      let events = 0;
      for (let product = next(); product > least; product *= next()) events++;
      return events;
    },
    part: (name) => createRandom(`${seed} ${name}`),
  };
}
