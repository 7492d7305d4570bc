/** What the worker of the human check needs to know; without schemas, so that it loads fast. */

/** The number from 0 to `tries` - 1 whose scrypt with this salt is the target is wanted. */
export interface HumanChallenge {
  /** Signed by the server; sent back with the number. */
  readonly question: string;
  readonly salt: string;
  readonly target: string;
  readonly tries: number;
}

/** The cost of one try, which needs a mebibyte of memory. */
export const humanCheckCost = { N: 1024, r: 8, p: 1, dkLen: 32 } as const;
