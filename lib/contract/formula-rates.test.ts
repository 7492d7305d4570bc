import { expect, test } from "vitest";
import { ratesOfFormula } from "./formula-rates";

const lines = (formula: string) =>
  ratesOfFormula(formula)?.map(({ unit, cost, input_from: from, hours }) =>
    [unit, ...(from === undefined ? [] : [`from ${from}`]), ...(hours ? [hours] : []), cost].join(
      " ",
    ),
  ) ?? null;

test("a sum of quantities is a rate of each", () => {
  expect(lines('tier("base", p * 2.5 + c*10 + 0.25*cr + cc * 3 + cc1h * 6)')).toEqual([
    "input_token 2.5",
    "output_token 10",
    "cached_input_token 0.25",
    "cache_write_token 3",
  ]);
  expect(lines('v1: tier("fixed", 1400)')).toEqual(["request 0.0014"]);
  expect(lines("(p + c * 4) / 2")).toEqual(["input_token 0.5", "output_token 2"]);
});

test("a choice by the length is a rate from there on", () => {
  expect(
    lines('len <= 200000 ? tier("short", p * 3 + c * 15) : tier("long", p * 6 + c * 22.5)'),
  ).toEqual([
    "input_token 3",
    "input_token from 200001 6",
    "output_token 15",
    "output_token from 200001 22.5",
  ]);
  expect(lines("len < 32000 ? p * 1 : 128000 >= len ? p * 2 : p * 2 + c")).toEqual([
    "input_token 1",
    "input_token from 32000 2",
    "output_token 0",
    "output_token from 128001 1",
  ]);
});

test("a factor by the hour is a rate of these hours in UTC", () => {
  const peak = '(hour("Asia/Shanghai") >= 9 && hour("Asia/Shanghai") < 12 ? 2 : 1)';
  expect(lines(`(tier("base", p * 4.5 + c * 13.5)) * ${peak}`)).toEqual([
    "input_token 4.5",
    "input_token 01:00-04:00 9",
    "output_token 13.5",
    "output_token 01:00-04:00 27",
  ]);
  const night = 'hour("UTC") >= 21 || hour("UTC") < 6';
  expect(lines(`${night} ? p : len > 10 ? p * 3 : p * 2`)).toEqual([
    "input_token 2",
    "input_token from 11 3",
    "input_token 21:00-06:00 1",
  ]);
});

test.each([
  ["a day of the week", 'weekday("UTC") > 1 ? p : p * 2'],
  ["a zone with summer time", 'hour("Europe/Paris") > 1 ? p : p * 2'],
  ["what the request says", 'p * (param("service_tier") == "fast" ? 2 : 1)'],
  ["how long the answer is", "c < 200 ? p : p * 2"],
  ["what is counted in no unit", "p * 2 + img * 8"],
  ["a length that is calculated with", "len / 1000 > 200 ? p : p * 2"],
  ["a length as a quantity", "len * 2"],
  ["products of quantities", "p * c"],
  ["less than nothing", "p - c"],
  ["a price of a request by its length", "len > 5 ? 7 : 8"],
  ["two formulas", "p * 2|||rule"],
  ["no end", "p * 2 +"],
  ["no formula", "p ** 2"],
  ["nothing", ""],
  ["a truth", "len > 5"],
  ["too much", `p * 2 ${"+ p ".repeat(600)}`],
  ["depth", "(".repeat(200)],
])("a formula with %s is none of rates", (_, formula) => {
  expect(ratesOfFormula(formula)).toBeNull();
});
