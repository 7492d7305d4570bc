import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue";

test("groups are served in turn, however many items one of them has waiting", () => {
  const queue = new FairQueue<string>(100, 50);
  for (let item = 0; item < 50; item++) queue.push("many", `many ${item}`);
  queue.push("one", "one 0");
  expect([queue.take(), queue.take(), queue.take()]).toEqual(["many 0", "one 0", "many 1"]);
});

test("a group has at most its share, and a full queue still accepts a group without waiting items, up to twice its size", () => {
  const queue = new FairQueue<number>(10, 4);
  const taken = (group: string, count: number) =>
    Array.from({ length: count }, (_, item) => queue.push(group, item)).filter(Boolean).length;
  expect([taken("a", 6), taken("b", 6), taken("c", 6)]).toEqual([4, 4, 2]);
  expect(queue.size).toBe(10);
  expect(taken("c", 1)).toBe(0);
  const others = Array.from({ length: 20 }, (_, index) => taken(`other ${index}`, 2));
  expect(others.reduce((sum, count) => sum + count, 0)).toBe(10);
  expect(queue.size).toBe(20);
  let served = 0;
  while (queue.take() !== undefined) served++;
  expect([served, queue.size]).toEqual([20, 0]);
});
