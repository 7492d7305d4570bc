import type { Neighbours } from "./neighbours";
import { test as base, relayIn } from "./product";
import { type Served, testInstance } from "./serve-product";

/**
 * An instance for the tests of one file, which run one after the other, and its command line. The
 * tests' paths are on it. After a failure those that follow still run, unless they are `serial`.
 */
export function ownInstance(open: () => Promise<Served>, mode: "default" | "serial" = "default") {
  let opened: Served | undefined;
  const served = (): Served => {
    if (opened === undefined) throw new Error("The instance is not open yet.");
    return opened;
  };
  const test = base.extend({
    // A hook before all tests has none.
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
    baseURL: async ({}, use) => use(opened?.address),
  });
  test.describe.configure({ mode });
  test.beforeAll(async () => {
    opened = await open();
  });
  test.afterAll(() => opened?.stop());
  const relay = <T>(...words: string[]): Promise<T> => relayIn(served().variables, ...words);
  return { test, relay, served };
}

/**
 * The tests of this file that name no instance run on the one with mail and payments, which the
 * worker keeps for other files.
 */
export function onNeighbours(): () => Neighbours {
  let before: object = {};
  let opened: Neighbours | undefined;
  base.beforeAll(({ neighbours }) => {
    before = { ...process.env };
    opened = neighbours;
    testInstance(neighbours.served);
  });
  base.afterAll(() => {
    Object.assign(process.env, before);
  });
  return () => {
    if (opened === undefined) throw new Error("The instance is not open yet.");
    return opened;
  };
}
