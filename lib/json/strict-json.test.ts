import fc from "fast-check";
import { expect, test } from "vitest";
import { parseScannedJson, parseStrictJson } from "./strict-json";

const bytes = (text: string) => Buffer.from(text);
const reasonOf = (input: Uint8Array): string => {
  try {
    parseStrictJson(input);
  } catch (error) {
    return (error as Error).message;
  }
  return "accepted";
};

test("everything that JSON.stringify writes within the limits is parsed to the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes("__proto__"));
      expect(parseStrictJson(bytes(text))).toEqual(JSON.parse(text));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["a duplicate name", '{"model":"a","n":1,"model":"b"}', 'the name "model" appears twice'],
  [
    "a duplicate name spelled with an escape",
    '{"model":"a","\\u006dodel":"b"}',
    'the name "model" appears twice',
  ],
  ["a duplicate name deep inside", '{"a":[{"b":{"c":1,"c":2}}]}', 'the name "c" appears twice'],
  [
    "a duplicate name beside strings that look like names",
    '{"a":"\\"x\\":1,","b":"}:{","a":2}',
    'the name "a" appears twice',
  ],
  ["__proto__", '{"__proto__":{"n":2}}', "`__proto__` is not allowed"],
  ["an escaped __proto__", '{"\\u005f_proto__":1}', "`__proto__` is not allowed"],
  ["65 levels", "[".repeat(65) + "]".repeat(65), "nested deeper than 64"],
  ["a hundred thousand open brackets", "[".repeat(100_000), "nested deeper than 64"],
  ["half of a surrogate pair", '{"a":"\\ud800"}', "unpaired surrogate"],
  ["half of a surrogate pair in a name", '{"\\udc00":1}', "unpaired surrogate"],
  ["a number beyond doubles", '{"a":1e999}', "a number is too large"],
  ["NaN", '{"a":NaN}', "not valid JSON"],
  ["an empty body", "", "it is empty"],
  ["a trailing comma", '{"a":1,}', "not valid JSON"],
  ["an unfinished string", '{"a":"\\', "not valid JSON"],
  ["two values", "{} {}", "not valid JSON"],
  ["a byte order mark within it", "{\ufeff}", "not valid JSON"],
  ["two byte order marks", "\ufeff\ufeff{}", "not valid JSON"],
])("%s is refused with the reason", (_, text, reason) => {
  expect(reasonOf(bytes(text))).toContain(reason);
});

test("a byte order mark at the beginning is ignored", async () => {
  const body = bytes('\ufeff{"a":[1]}');
  expect(parseStrictJson(body)).toEqual({ a: [1] });
  expect(await parseScannedJson(body, 1)).toEqual({ a: [1] });
});

test("bytes that are not UTF-8 are refused", () => {
  expect(reasonOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toContain("not UTF-8");
  expect(reasonOf(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toContain("not UTF-8");
});

test("64 levels and complete surrogate pairs are accepted", () => {
  expect(reasonOf(bytes("[".repeat(64) + "]".repeat(64)))).toBe("accepted");
  expect(parseStrictJson(bytes('"\\ud83d\\ude00"'))).toBe("😀");
});
