import { expect, test } from "vitest";
import { pause } from "./pause";

test("a pause ends after its time or at its signal, and never rejects", async () => {
  const before = performance.now();
  await pause(20);
  expect(performance.now() - before).toBeGreaterThan(18);
  const abort = new AbortController();
  const paused = pause(60_000, { signal: abort.signal });
  abort.abort();
  await paused;
  await pause(60_000, { signal: abort.signal });
});
