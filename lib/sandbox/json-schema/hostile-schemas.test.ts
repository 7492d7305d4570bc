import { expect, test } from "vitest";
import { Budget } from "./budget";
import { documentFor } from "./document";

const nestedSchema = (levels: number, wrap: (inner: object) => object) => {
  let value: object = { type: "string" };
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
};
const wide = (count: number, isRequired: boolean) => ({
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`p${at}`, { type: "string" }]),
  ),
  required: isRequired ? Array.from({ length: count }, (_, at) => `p${at}`) : [],
});
const endless = {
  $defs: {
    a: { anyOf: [{ $ref: "#/$defs/b" }, { $ref: "#/$defs/c" }] },
    b: twice("a"),
    c: twice("b"),
  },
  $ref: "#/$defs/a",
};
function twice(name: string): object {
  const again = { $ref: `#/$defs/${name}` };
  return { type: "object", properties: { x: again, y: again }, required: ["x", "y"] };
}

/** The expected result of each: a document, or a refusal. */
const hostile: readonly (readonly [string, unknown, boolean])[] = [
  ["a reference to itself", { $ref: "#" }, true],
  ["endless recursion", endless, false],
  ["100,000 properties", wide(100_000, false), true],
  ["100,000 required properties", wide(100_000, true), false],
  ["a huge enum", { enum: Array.from({ length: 200_000 }, (_, at) => `value ${at}`) }, true],
  [
    "an enum of which nothing fits",
    { type: "string", enum: Array.from({ length: 200_000 }, (_, at) => at) },
    false,
  ],
  [
    "a catastrophic pattern",
    { type: "string", pattern: "^(([a-z]+)+)+$", minLength: 40_000 },
    true,
  ],
  [
    "many catastrophic patterns",
    {
      allOf: Array.from({ length: 400 }, () => ({
        type: "string",
        pattern: "((a{1000}){1000}){1000}$",
      })),
    },
    true,
  ],
  ["a million items", { type: "array", minItems: 1_000_000, items: { type: "null" } }, false],
  ["a text of a gigabyte", { type: "string", minLength: 1e9 }, false],
  [
    "1,000 members that lead back",
    {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 1_000 }, (_, at) => [
          `p${at}`,
          { anyOf: [{ $ref: "#" }, { type: "null" }] },
        ]),
      ),
    },
    true,
  ],
  ["deep nesting", nestedSchema(3_000, (items) => ({ type: "array", items, minItems: 1 })), false],
  ["deep allOf", nestedSchema(3_000, (inner) => ({ allOf: [inner] })), true],
  ["deep anyOf", nestedSchema(3_000, (inner) => ({ anyOf: [inner] })), false],
  [
    "branches upon branches",
    nestedSchema(7, (inner) => ({
      anyOf: [false, structuredClone(inner), structuredClone(inner), inner],
    })),
    true,
  ],
  [
    "groups that nothing satisfies",
    {
      allOf: Array.from({ length: 30 }, () => ({
        anyOf: [{ type: "string" }, { type: "number" }],
      })),
      not: {},
    },
    false,
  ],
  ["a false schema", false, false],
  ["a default of a megabyte", { type: "string", default: "x".repeat(1_000_000) }, true],
  ["a megabyte that alone is allowed", { const: "x".repeat(1_000_000) }, false],
  ["800 schemas in one", { allOf: Array.from({ length: 800 }, () => wide(1, true)) }, true],
  [
    "nonsense",
    {
      type: 7,
      properties: [],
      required: "x",
      enum: {},
      anyOf: [null, 3, "x"],
      $ref: 5,
      items: "y",
      minItems: "z",
    },
    true,
  ],
];
test.each(hostile)("%s ends soon", (_name, value, isMade) => {
  documentFor(wide(2, true), new Budget());
  const started = performance.now();
  const document = documentFor(value, new Budget());
  const took = performance.now() - started;
  expect(document !== null).toBe(isMade);
  // The work is bounded in steps; without the bound most of these would never end.
  expect(took).toBeLessThan(2_000);
});
