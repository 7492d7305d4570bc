import { expect, test } from "vitest";
import { relativeTime } from "./times";

const now = Date.parse("2026-11-22T12:00:00Z");
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();

test("what a server's clock says a little ahead of ours is the present, what lies in the future is not", () => {
  expect(relativeTime(at(8), now, "en")).toBe("now");
  expect(relativeTime(at(0), now, "en")).toBe("now");
  expect(relativeTime(at(-3), now, "en")).toBe("3s ago");
  expect(relativeTime(at(90), now, "en")).toBe("in 1m");
});
