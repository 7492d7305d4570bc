/** The work on large bodies is shared by account, and leaves time for everything else. */
import { expect, test } from "vitest";
import { createLargeWork } from "./large-work";
import { createUnpaidWork } from "./unpaid-work";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Work whose steps take a given time of a clock that only they and `wait` move. */
function workshop(share = 0.5, savedMs = 0) {
  let time = 0;
  const clock = () => time;
  const unpaid = createUnpaidWork({ share, savedMs }, clock);
  const work = createLargeWork(unpaid, clock);
  const done: string[] = [];
  const stepOf = (name: string, ms: number) => () => {
    time += ms;
    done.push(name);
    return name;
  };
  const wait = (ms: number) => {
    time += ms;
  };
  return { work, unpaid, done, stepOf, wait };
}

test("small steps share a turn of the event loop, up to some milliseconds", async () => {
  const { work, done, stepOf } = workshop();
  const ends = Array.from({ length: 24 }, () => work.open("a", false).step(stepOf("a", 0.25)));
  expect(done).toHaveLength(4);
  for (let turns = 0; turns < 10 && done.length < 24; turns++) {
    const before = done.length;
    await turn();
    expect(done.length - before).toBeLessThanOrEqual(4);
  }
  await Promise.all(ends);
  expect(done).toHaveLength(24);
});

test("a longer step runs alone in a turn of the event loop, and accounts take turns", async () => {
  const { work, done, stepOf } = workshop();
  const many = Array.from({ length: 24 }, () => work.open("many", false));
  const ends = many.map(({ step }) => step(stepOf("many", 10)));
  expect(done).toEqual(["many"]);
  const one = work.open("one", false).step(stepOf("one", 10));
  for (let turns = 0; turns < 6; turns++) {
    const before = done.length;
    await turn();
    expect(done.length - before).toBeLessThanOrEqual(1);
  }
  expect(done.slice(0, 3)).toContain("one");
  expect(await one).toBe("one");
  await Promise.all(ends);
  expect(done).toHaveLength(25);
});

test("after a step everything else gets as much time, if it needs it", async () => {
  const { work, done, stepOf, wait } = workshop();
  const { step } = work.open("a", false);
  void step(stepOf("first", 10));
  const second = step(stepOf("second", 10));
  for (let turns = 0; turns < 4; turns++) {
    wait(3);
    expect(done).toEqual(["first"]);
    await turn();
  }
  await second;
  expect(done).toEqual(["first", "second"]);
});

test("work that nobody pays for takes its share of the time, and other accounts go on", async () => {
  const { work, unpaid, done, stepOf, wait } = workshop();
  const free = work.open("free", true);
  await free.step(stepOf("free", 100));
  expect(unpaid.waitMs("free")).toBe(100);
  const next = free.step(stepOf("free again", 1));
  const paid = work.open("paid", false);
  for (let count = 0; count < 5; count++) await paid.step(stepOf("paid", 10));
  expect(done).toEqual(["free", "paid", "paid", "paid", "paid", "paid"]);
  wait(50);
  await next;
  expect(done.at(-1)).toBe("free again");
});

test("what was done for a refused request counts as unpaid, for an accepted one it does not", async () => {
  const { work, unpaid, stepOf } = workshop();
  const accepted = work.open("a", false);
  await accepted.step(stepOf("read", 40));
  expect(unpaid.waitMs("a")).toBe(0);
  const refused = work.open("a", false);
  await refused.step(stepOf("read", 40));
  refused.refuse();
  refused.refuse();
  expect(unpaid.waitMs("a")).toBe(40);
});

test("a step that throws rejects, and the next one runs", async () => {
  const { work, stepOf, wait } = workshop();
  const { step } = work.open("a", false);
  const fail = () => {
    wait(10);
    throw new Error("no JSON");
  };
  expect(() => step(fail)).toThrow("no JSON");
  await expect(step(fail)).rejects.toThrow("no JSON");
  expect(await step(stepOf("next", 1))).toBe("next");
});
