import { expect, test } from "vitest";
import {
  nextRow,
  type RateRow,
  ratesOfRows,
  rowsOf,
  upstreamOfRows,
  withUnit,
  wrongRow,
} from "./rate-rows";

const rates = [
  { unit: "input_token" as const, points: "80.000000" },
  { unit: "second" as const, resolution: "720p", audio: false, points: "30.500000" },
  { unit: "image" as const, size: "1024x1024", points: "20.000000" },
];
const row = (change: Partial<RateRow>): RateRow => ({
  unit: "input_token",
  ordered: {},
  points: "8",
  cost: "",
  ...change,
});

test("rates are rows, each with what the upstream asks for the same, and rows are rates again", () => {
  const costs = [
    { unit: "second" as const, resolution: "720p", audio: false, points: "3.000000" },
    { unit: "second" as const, resolution: "480p", points: "2.000000" },
  ];
  const rows = rowsOf(rates, costs);
  expect(rows).toEqual([
    { unit: "input_token", ordered: {}, points: "80", cost: "" },
    { unit: "second", ordered: { resolution: "720p", audio: "no" }, points: "30.5", cost: "3" },
    { unit: "image", ordered: { size: "1024x1024" }, points: "20", cost: "" },
  ]);
  expect(ratesOfRows(rows)).toEqual([
    { unit: "input_token", points: "80" },
    { unit: "second", resolution: "720p", audio: false, points: "30.5" },
    { unit: "image", size: "1024x1024", points: "20" },
  ]);
});

test("a length is a number in a request, and what is no number is sent to be refused", () => {
  const long = { unit: "input_token" as const, input_from: 200_000, hours: "16:30-00:30" };
  const rows = rowsOf([{ ...long, points: "6.000000" }]);
  expect(rows[0]?.ordered).toEqual({ input_from: "200000", hours: "16:30-00:30" });
  expect(ratesOfRows(rows)).toEqual([{ ...long, points: "6" }]);
  const typed = (input_from: string) => ratesOfRows([row({ ordered: { input_from } })])[0];
  expect(typed("200,000")).toMatchObject({ input_from: 200_000 });
  expect(typed("long")).toMatchObject({ input_from: Number.NaN });
});

test("a row without a price is not counted", () => {
  expect(ratesOfRows([row({ points: " " }), row({ unit: "output_token" })])).toEqual([
    { unit: "output_token", points: "8" },
  ]);
});

test.each(["nine", "-1", "1.1234567", "1000000001"])("%j is no amount", (points) => {
  expect(wrongRow([row({}), row({ points })])).toBe(1);
  expect(wrongRow([row({ cost: points })])).toBe(0);
});

test("amounts, and none, are right", () => {
  expect(wrongRow([row({}), row({ points: "" }), row({ points: "0.5", cost: "1" })])).toBeNull();
});

test("a row of another unit keeps the conditions of that unit alone", () => {
  const second = row({ unit: "second", ordered: { resolution: "720p", audio: "yes" } });
  expect(withUnit(second, "video_token").ordered).toEqual({ resolution: "720p", audio: "yes" });
  expect(withUnit(second, "request").ordered).toEqual({});
});

test("another row is of a unit that is missing, or one more of what depends on the order", () => {
  expect(nextRow("text", [row({})]).unit).toBe("cached_input_token");
  expect(nextRow("video", [row({ unit: "second" })]).unit).toBe("second");
  expect(nextRow("image", []).unit).toBe("image_token");
});

test("what the upstream asks is noted as that of tokens and that of the others", () => {
  const rows = [
    row({ cost: "1" }),
    row({ unit: "output_token", cost: "3" }),
    row({ unit: "request" }),
  ];
  expect(upstreamOfRows("text", rows)).toEqual({ input: "1", output: "3", rates: [] });
  const video = row({ unit: "second", ordered: { resolution: "720p" }, cost: "2" });
  expect(upstreamOfRows("video", [video])).toEqual({
    input: null,
    output: "0",
    rates: [{ unit: "second", resolution: "720p", points: "2" }],
  });
});
