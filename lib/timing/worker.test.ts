import { expect, test } from "vitest";
import { pause } from "./pause";
import { halfOfTheTime, startWorker } from "./worker";

/** Works through a script of turns: a number is the wait after it, an error is thrown. */
async function play(script: (number | Error)[], reportedAfter?: (error: unknown) => number) {
  const problems: unknown[] = [];
  const left = [...script];
  let isPlayed = false;
  const rounds = startWorker({
    turn: async () => {
      const next = left.shift();
      isPlayed = next === undefined;
      if (next instanceof Error) throw next;
      return next ?? 60_000;
    },
    afterFailureMs: 1,
    onProblem: (error) => problems.push(error),
    ...(reportedAfter && { reportedAfter }),
  });
  await expect.poll(() => isPlayed, { interval: 2 }).toBe(true);
  await rounds.close();
  return problems;
}

const first = new Error("first");
const second = new Error("second");
const third = new Error("third");

test("failures in a row are reported once, and the next ones after a success again", async () => {
  expect(await play([0, first, second, 0, third])).toEqual([first, third]);
});

test("a failure that is no news yet is reported when it has come so many times in a row", async () => {
  expect(await play([first, first, 0, first, first, first, first], () => 3)).toEqual([first]);
});

test("a close waits for the turn that runs, reports no failure of it, and starts no other", async () => {
  let [turns, isOver] = [0, false];
  const problems: unknown[] = [];
  const rounds = startWorker({
    turn: async () => {
      turns++;
      await pause(30);
      isOver = true;
      throw first;
    },
    afterFailureMs: 0,
    onProblem: (error) => problems.push(error),
  });
  await rounds.close();
  expect({ turns, isOver, problems }).toEqual({ turns: 1, isOver: true, problems: [] });
});

test("while more is left it waits for as long as it worked, and otherwise for the interval", async () => {
  const worked = halfOfTheTime(async () => {
    await pause(30);
    return true;
  }, 60_000);
  const wait = await worked();
  expect(wait).toBeGreaterThan(28);
  expect(wait).toBeLessThan(10_000);
  expect(await halfOfTheTime(async () => false, 60_000)()).toBe(60_000);
});

test("a turn begins earlier when it is asked for, also while another one runs", async () => {
  let turns = 0;
  const rounds = startWorker({
    turn: async () => {
      turns++;
      await pause(20);
      return 60_000;
    },
    afterFailureMs: 60_000,
    onProblem: () => {},
  });
  rounds.wake();
  await expect.poll(() => turns, { interval: 2 }).toBe(2);
  rounds.wake(30);
  rounds.wake(50_000);
  await expect.poll(() => turns, { interval: 2 }).toBe(3);
  await rounds.close();
  expect(turns).toBe(3);
});
