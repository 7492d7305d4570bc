import fc from "fast-check";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { ObjectText, wholeObject } from "./object-text";

function sent(pieces: readonly string[]) {
  const object = new ObjectText();
  const text = pieces.map((piece) => object.push(piece)).join("") + object.end();
  return { text, isBroken: object.isBroken };
}

/** The pieces of a text that is cut at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b)];
  return at.map((from, index) => text.slice(from, at[index + 1] ?? text.length));
}

const places = fc.array(fc.nat(), { maxLength: 8 });

test("an object passes as it is, wherever it is cut", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), places, (value, at) => {
      const text = JSON.stringify(value);
      expect(sent(cut(text, at))).toEqual({ text, isBroken: false });
    }),
    { numRuns: extent(300, 5000) },
  );
});

test.each(["x", "中"])("a string of nine million %s passes as it is", (character) => {
  const text = `{"a":"${character.repeat(9_000_000)}"}`;
  expect(wholeObject(text) === text).toBe(true);
});

test.each([
  ["", "{}"],
  [" ", "{}"],
  ["null", "{}"],
  ["[]", "{}"],
  ['  {"a" :\t1 , "b":[ ]}  ', '{"a" : 1 , "b":[ ]}'],
  ['{"a":"line\nline\u0001"}', '{"a":"line\\nline\\u0001"}'],
  [String.raw`{"a":"\d\'\u00e9\u12"}`, String.raw`{"a":"\\d'\u00e9\\u12"}`],
  ['{"a":1}{"b":2}', '{"a":1}'],
  ["{ } words", "{}"],
  ['"{}"', "{}"],
  ['{}{"a":1}{"b":2}', '{"a":1}'],
  ['{"a":1}}', '{"a":1}'],
  ['"{\\"a\\":1}"', '{"a":1}'],
  ['```json\n{"a":1}\n```', '{"a":1}'],
  ['``` {"a":1}', '{"a":1}'],
  ["```js", '{"invalid_json":"```js"}'],
  ["Oslo", '{"invalid_json":"Oslo"}'],
  ["[1]", '{"invalid_json":"[1]"}'],
  ['"Oslo"', '{"invalid_json":"\\"Oslo\\""}'],
  ["{'a':1}", '{"invalid_json":"{\'a\':1}"}'],
])("%j is sent as %s, wherever it is cut", (text, expected) => {
  fc.assert(
    fc.property(places, (at) => {
      expect(sent(cut(text, at))).toEqual({ text: expected, isBroken: false });
    }),
    { numRuns: 30 },
  );
});

test.each([
  ['{"a":"b', '{"a":"b'],
  ['{"a":tru', '{"a":'],
  ['{"a":1 "b":2}', '{"a":1 '],
  ['{"a":nil}', '{"a":'],
  ['{"a":1,}', '{"a":1,'],
  ['{"a":[1}', '{"a":[1'],
  ["{", "{}"],
])("%s cannot become an object: what is sent is a beginning of one", (text, expected) => {
  expect(sent([text])).toEqual({ text: expected, isBroken: true });
  expect(wholeObject(text)).toBe(JSON.stringify({ invalid_json: text }));
});

test("whatever comes, what is sent is JSON, or the beginning of it in a broken one", () => {
  const word = fc.constantFrom('{"a":', '"b"', "}", "{", "[", "]", ",", ":", "1", "\\", '"', "é");
  const text = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 12 }).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, places, (given, at) => {
      const { text: told, isBroken } = sent(cut(given, at));
      if (!isBroken) expect(JSON.parse(told)).toBeTypeOf("object");
      expect(JSON.parse(wholeObject(given))).toBeTypeOf("object");
    }),
    { numRuns: extent(2000, 50_000) },
  );
});
