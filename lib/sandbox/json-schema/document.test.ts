import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Budget } from "./budget";
import { documentFor as documentWithin } from "./document";

const documentFor = (schema: unknown) => documentWithin(schema, new Budget());

/** `strict` is off so that it also accepts schemas of older drafts. */
const validator = new Ajv2020({ strict: false, validateSchema: false });
addFormats.default(validator);

/** The errors that an independent validator finds in the document. */
function faultsOf(schema: unknown, document: string | null): unknown {
  if (document === null) return "no document";
  const validate = validator.compile(schema as object);
  const isValid = validate(JSON.parse(document));
  validator.removeSchema(schema as object);
  return isValid ? null : { errors: validate.errors, document };
}
const made = (schema: unknown): unknown => JSON.parse(documentFor(schema) ?? "null");

const json = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.integer({ min: -50, max: 50 }),
  fc.boolean(),
  fc.constant(null),
);
const bounds = (low: number, high: number) =>
  fc
    .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const some = <Value extends object>(shape: { [Name in keyof Value]: fc.Arbitrary<Value[Name]> }) =>
  fc.record(shape, { requiredKeys: [] });
const patterns = [
  "^[a-z]{3,8}$",
  "^\\d{4}-\\d{2}$",
  "^(foo|bar)-[0-9A-F]+$",
  "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$",
  "abc",
  "^\\+[1-9]\\d{6,14}$",
  "^#(?:[0-9a-f]{3}){1,2}$",
  "^v(?<major>\\d+)\\.(\\d+)?$",
  "[A-Z]\\.$",
];
const formats = [
  "date",
  "date-time",
  "time",
  "email",
  "uri",
  "uuid",
  "ipv4",
  "ipv6",
  "hostname",
  "duration",
];
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => text !== "__proto__"),
  fc.constantFrom("constructor", "toString", "a/b", "~x", "name"),
);

const leaf = fc.oneof(
  fc.constantFrom<object>(
    { type: "boolean" },
    { type: "null" },
    {},
    { type: ["string", "null"] },
    { type: "integer", nullable: true },
  ),
  fc.uniqueArray(json, { minLength: 1, maxLength: 5 }).map((values) => ({ enum: values })),
  json.map((value) => ({ const: value })),
  bounds(0, 30).map(([minLength, maxLength]) => ({ type: "string", minLength, maxLength })),
  fc.constantFrom(...patterns).map((pattern) => ({ type: "string", pattern })),
  fc.constantFrom(...formats).map((format) => ({ type: "string", format })),
  fc
    .tuple(bounds(-1000, 1000), fc.constantFrom("integer", "number"))
    .map(([[minimum, maximum], type]) => ({ type, minimum, maximum })),
  fc.tuple(bounds(-9, 9), fc.constantFrom(0.5, 1, 2, 3)).map(([[low, high], width]) => ({
    type: "number",
    exclusiveMinimum: Math.min(low, high) / 7,
    exclusiveMaximum: Math.max(low, high) / 7 + width,
  })),
  fc
    .tuple(fc.integer({ min: -99, max: 99 }), fc.constantFrom(1, 2, 5, 7, 0.25))
    .map(([minimum, multipleOf]) => ({ type: "number", minimum, multipleOf })),
);

const { schema } = fc.letrec<{
  schema: object;
  object: object;
  array: object;
  branches: object;
  both: object;
}>((tie) => {
  const child = tie("schema") as fc.Arbitrary<object>;
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      tie("object"),
      tie("array"),
      tie("branches"),
      tie("both"),
    ),
    object: fc
      .tuple(
        fc.dictionary(name, child, { maxKeys: 5 }),
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom(undefined, false, true),
      )
      .map(([properties, flips, additionalProperties]) => {
        const required = Object.keys(properties).filter(() => flips.next().value);
        return {
          type: "object",
          properties,
          required,
          ...(additionalProperties === undefined ? {} : { additionalProperties }),
        };
      }),
    array: fc.oneof(
      fc
        .tuple(child, bounds(0, 4))
        .map(([items, [minItems, maxItems]]) => ({ type: "array", items, minItems, maxItems })),
      fc.array(child, { minLength: 1, maxLength: 3 }).map((prefixItems) => ({
        type: "array",
        prefixItems,
        minItems: prefixItems.length,
        items: false,
      })),
      bounds(0, 5).map(([minItems, maxItems]) => ({
        type: "array",
        items: { type: "integer" },
        uniqueItems: true,
        minItems,
        maxItems,
      })),
      bounds(0, 5).map(([minItems]) => ({
        type: "array",
        items: { type: "string" },
        uniqueItems: true,
        minItems,
      })),
      child.map((additionalProperties) => ({
        type: "object",
        additionalProperties,
        minProperties: 2,
      })),
    ),
    branches: fc.oneof(
      fc.array(child, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(child, { minLength: 1, maxLength: 3 }).map((all) => ({
        oneOf: all.map((value, at) => ({
          type: "object",
          properties: { kind: { type: "string", const: `kind ${at}` }, value },
          required: ["kind", "value"],
          additionalProperties: false,
        })),
      })),
    ),
    both: fc
      .tuple(
        fc.dictionary(name, child, { maxKeys: 2 }),
        some({ minLength: fc.integer({ min: 0, max: 9 }) }),
      )
      .map(([properties, more]) => ({
        allOf: [
          { type: "object", properties, required: Object.keys(properties) },
          { properties: { "also this": { type: "string", ...more } }, required: ["also this"] },
        ],
      })),
  };
});

test("an independent validator accepts the document of a random schema", () => {
  fc.assert(
    fc.property(schema, (value) => {
      expect(faultsOf(value, documentFor(value))).toBeNull();
    }),
    { numRuns: 400 },
  );
});

const person = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name", "age"],
};
const tree = {
  $ref: "#/$defs/node",
  $defs: {
    node: {
      type: "object",
      properties: {
        value: { type: "number" },
        children: { type: "array", items: { $ref: "#/$defs/node" } },
      },
      required: ["value", "children"],
      additionalProperties: false,
    },
  },
};
const list = {
  type: "object",
  properties: { value: { type: "string" }, next: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
  required: ["value", "next"],
};
/** Every first branch recurses; only the last one ends. */
const expression = {
  $defs: {
    sum: {
      type: "object",
      properties: { left: { $ref: "#/$defs/any" }, right: { $ref: "#/$defs/any" } },
      required: ["left", "right"],
    },
    number: { type: "object", properties: { number: { type: "number" } }, required: ["number"] },
    any: { oneOf: [{ $ref: "#/$defs/sum" }, { allOf: [{ $ref: "#/$defs/number" }] }] },
  },
  $ref: "#/$defs/any",
};

test.each([
  ["an object", person, { name: "sandbox name", age: 1 }],
  ["a tree", tree, { value: 1, children: [{ value: 1, children: [] }] }],
  ["a linked list", list, { value: "sandbox value", next: { value: "sandbox value", next: null } }],
  ["an expression", expression, { left: { number: 1 }, right: { number: 1 } }],
  ["a default", { properties: { city: { type: "string", default: "Paris" } } }, { city: "Paris" }],
  ["a record", { type: "object", additionalProperties: { type: "integer" } }, { sandbox: 1 }],
  [
    "a record of listed names",
    {
      type: "object",
      propertyNames: { enum: ["a", "b"] },
      additionalProperties: { type: "null" },
      minProperties: 2,
    },
    { a: null, b: null },
  ],
  ["an enum beside a bound", { enum: [1, "two", 30], type: "integer", minimum: 5 }, 30],
  [
    "a required name that nothing describes",
    { type: "object", required: ["x"] },
    { x: "sandbox x" },
  ],
])("%s gives the expected document", (_name, value, document) => {
  expect(made(value)).toEqual(document);
  expect(faultsOf(value, documentFor(value))).toBeNull();
});

test("a member called __proto__ is an ordinary member", () => {
  const value = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"const":5}},"required":["__proto__"]}',
  );
  expect(documentFor(value)).toBe('{"__proto__":5}');
});
