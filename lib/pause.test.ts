import { expect, test } from "vitest";
import { pause } from "./pause";

test("a pause ends with its time, or with its signal, and never rejects", async () => {
  const before = performance.now();
  await pause(20);
  expect(performance.now() - before).toBeGreaterThan(18);
  const abort = new AbortController();
  const paused = pause(60_000, { signal: abort.signal });
  abort.abort();
  await paused;
  await pause(60_000, { signal: abort.signal });
});
