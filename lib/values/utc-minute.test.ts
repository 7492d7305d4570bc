import { expect, test } from "vitest";
import { atMoments, utcMinute } from "./utc-minute";

test("what a text says of moments is found again, wherever it stands", () => {
  const [one, other] = ["2026-12-01T00:00:00Z", "2026-11-30T23:59:00Z"];
  expect(utcMinute("2026-12-01T00:00:42.123Z")).toBe("2026-12-01 00:00 UTC");
  const text = `Until ${utcMinute(one)}; 自 ${utcMinute(other)} 起`;
  expect(atMoments(text)).toEqual(["Until ", one, "; 自 ", other, " 起"]);
  expect(atMoments(utcMinute(one))).toEqual(["", one, ""]);
  expect(atMoments("2026-12-01, in UTC")).toEqual(["2026-12-01, in UTC"]);
});
