import { expect, test } from "vitest";
import { cached } from "./cached";

test("a value is read once however many ask, and the former one stays while a read fails", async () => {
  let now = 0;
  let reads = 0;
  const answers = [
    () => Promise.resolve("a"),
    () => Promise.reject(new Error("away")),
    () => Promise.resolve("b"),
  ];
  const read = () => answers[reads++]?.() ?? Promise.reject(new Error("too many reads"));
  const kept = cached(read, { forMs: 5000, waitMs: 500 }, () => now);
  const value = async () => (await kept())?.value;
  expect(await Promise.all([value(), value(), value()])).toEqual(["a", "a", "a"]);
  now = 4999;
  expect([await value(), reads]).toEqual(["a", 1]);
  now = 5000;
  expect(await Promise.all([value(), value()])).toEqual(["a", "a"]);
  expect(reads).toBe(2);
  now = 10_000;
  expect(await Promise.all([value(), value()])).toEqual(["b", "b"]);
  expect(reads).toBe(3);
});

test("nobody waits long for a read, and none begins beside it", async () => {
  let reads = 0;
  const read = () => {
    reads++;
    return new Promise<string>(() => {});
  };
  let now = 0;
  const kept = cached(read, { forMs: 10, waitMs: 20 }, () => now);
  expect(await kept()).toBeNull();
  now = 1000;
  expect(await kept()).toBeNull();
  expect(reads).toBe(1);
});
