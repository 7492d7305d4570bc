/** Tests values at the beginning of texts, as JSON and as Python print them. */
import { expect, test } from "vitest";
import { embeddedValue } from "./embedded-value";

test.each([
  ['{"a":1}', { a: 1 }],
  ['  {"a":"b"} and more', { a: "b" }],
  ['{"a":[1,{"b":"}"}]}. Received "x"', { a: [1, { b: "}" }] }],
  ["{'a': 'it', 'b': \"it's\", 'c': None, 'd': True}", { a: "it", b: "it's", c: null, d: true }],
  ["[{'loc': ('body', 0), 'ctx': E(\"x\")}]", [{ loc: ["body", 0], ctx: ["x"] }]],
  ["{'loc': ('body',)}", { loc: ["body"] }],
  ["{'a': 'b\\n\\'c'}", { a: "b\n'c" }],
  ["{'a': 1.5e3, 'b': -2}", { a: 1500, b: -2 }],
  ["", null],
  ["words", null],
  ["{'a': ", null],
  [`${"[".repeat(70)}1${"]".repeat(70)}`, null],
])("%s", (text, expected) => {
  expect(embeddedValue(text)).toEqual(expected);
});
