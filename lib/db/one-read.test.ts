import { expect, test } from "vitest";
import { nextTurn } from "../timing/next-turn";
import { oneReadAtATime } from "./one-read";

/** A value that is read slowly, and how many reads there were, in all and at once. */
function slowReads() {
  const seen = { value: 0, known: 0, reads: 0, running: 0, most: 0 };
  const read = async () => {
    seen.reads++;
    seen.most = Math.max(seen.most, ++seen.running);
    const { value } = seen;
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    seen.running--;
    if (value === 13) throw new Error("unreadable");
    seen.known = value;
  };
  return { seen, again: oneReadAtATime(read) };
}

test("a thousand changes during a read are one more read, which has the last of them", async () => {
  const { seen, again } = slowReads();
  const ends: Promise<void>[] = [];
  for (seen.value = 100; seen.value < 1100; seen.value++) ends.push(again());
  await Promise.all(ends);
  expect(seen).toMatchObject({ reads: 2, most: 1, known: 1100 });
});

test("whoever asks, whenever, learns of what was changed before", async () => {
  const { seen, again } = slowReads();
  const asked = Array.from({ length: 200 }, async (_, at) => {
    for (let turn = 0; turn < at % 17; turn++) await nextTurn();
    const value = ++seen.value + 100;
    seen.value = value;
    await again();
    expect(seen.known).toBeGreaterThanOrEqual(value);
  });
  await Promise.all(asked);
  expect(seen.most).toBe(1);
  expect(seen.reads).toBeLessThan(60);
});

test("a read that fails is told to those who asked, and does not end the reads after it", async () => {
  const { seen, again } = slowReads();
  seen.value = 13;
  const failed = again();
  const next = again();
  await expect(failed).rejects.toThrow("unreadable");
  await expect(next).rejects.toThrow("unreadable");
  seen.value = 14;
  await again();
  expect(seen.known).toBe(14);
});
