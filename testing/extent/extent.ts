/**
 * How much the tests of many cases do. `npm test` is for every change and looks at a part of what
 * only repeats a guarantee: generated bodies, kills, sizes of a page. `npm run test:whole` looks at
 * all of it.
 */
export const isWhole = process.env.TEST_EXTENT === "whole";

/** The browser tests of `npm test` when it names no file: those tagged @core. */
export const isCore = process.env.TEST_EXTENT === "core";

/** What a test does in `npm test`, or what it does in `npm run test:whole`. */
export function extent<T>(usual: T, whole: T): T {
  return isWhole ? whole : usual;
}

/** `npm test` takes one of `all`, in turn by `place`; `npm run test:whole` takes all of them. */
export function inTurn<One>(place: number, all: readonly One[]): readonly One[] {
  return all.filter((_, at) => isWhole || at === place % all.length);
}
