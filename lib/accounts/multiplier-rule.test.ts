import { expect, test } from "vitest";
import { type Multipliers, modelsWithOwn, multiplierOf } from "./multiplier-rule";

/** Every way in which the account and its group may or may not say something. */
const ways = Array.from({ length: 32 }, (_, bits) => ({
  ownOfModel: bits & 1 ? 11 : undefined,
  own: bits & 2 ? 12 : undefined,
  groupOfModel: bits & 4 ? 13 : undefined,
  group: bits & 8 ? 14 : undefined,
  isInGroup: (bits & 16) !== 0,
}));

const said = (ppm: number | undefined, ofModel: number | undefined): Multipliers => ({
  ppm: ppm ?? null,
  byModel: new Map(ofModel === undefined ? [] : [["A", ofModel]]),
});

test.each(ways)("%j", ({ ownOfModel, own, groupOfModel, group, isInGroup }) => {
  const terms = [said(own, ownOfModel), isInGroup ? said(group, groupOfModel) : null] as const;
  const inOrder = [ownOfModel, own, ...(isInGroup ? [groupOfModel, group] : []), 1_000_000];
  expect(multiplierOf(...terms, "A")).toBe(inOrder.find((ppm) => ppm !== undefined));
  const forOthers = [own, isInGroup ? group : undefined, 1_000_000];
  for (const model of ["B", null])
    expect(multiplierOf(...terms, model)).toBe(forOthers.find((ppm) => ppm !== undefined));
  // What is not listed has the multiplier for all.
  if (!modelsWithOwn(...terms).includes("A"))
    expect(multiplierOf(...terms, "A")).toBe(multiplierOf(...terms, null));
});
