import { expect, test } from "vitest";
import { failureTone } from "./failure-tone";

test("one failure of many is not marked, some are a warning, and many are bad", () => {
  for (const success of [1, 0.999, 0.9901]) expect(failureTone(success)).toBeNull();
  for (const success of [0.99, 0.97, 0.9501]) expect(failureTone(success)).toBe("held");
  for (const success of [0.95, 0.5, 0]) expect(failureTone(success)).toBe("bad");
});
