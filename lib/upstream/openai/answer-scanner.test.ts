import fc from "fast-check";
import { expect, test } from "vitest";
import { isRecord } from "../../values/records";
import { AnswerScanner, restOfChoice } from "./answer-scanner";

function scan(text: string, cuts: readonly number[] = []) {
  let passed = "";
  const scanner = new AnswerScanner(
    (part) => {
      passed += part;
    },
    (choice) => {
      passed += restOfChoice(choice);
    },
  );
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort(
    (one, other) => one - other,
  );
  const isJson = [0, ...places].every((start, index) =>
    scanner.push(text.slice(start, places[index] ?? text.length)),
  );
  return { scanner, isJson, passed };
}

test("any object is forwarded completely except for the kept members, however its text is split", () => {
  const name = fc.oneof(
    fc.constantFrom("choices", "usage", "id", "model", "object", "service_tier"),
    fc.string({ maxLength: 8 }),
  );
  const spaced = fc.constantFrom(undefined, 1, "\t");
  const choiceName = fc.constantFrom("index", "message", "finish_reason", "logprobs");
  const small = fc.jsonValue({ maxDepth: 2 });
  const choice = fc.oneof(fc.dictionary(choiceName, small, { maxKeys: 4 }), small);
  const member = fc.oneof(fc.jsonValue(), fc.array(choice, { maxLength: 3 }));
  fc.assert(
    fc.property(
      fc.dictionary(name, member),
      fc.array(fc.nat(), { maxLength: 20 }),
      spaced,
      (value, cuts, indent) => {
        if (Object.hasOwn(value, "__proto__")) return;
        const { scanner, isJson, passed } = scan(JSON.stringify(value, null, indent), cuts);
        expect([isJson, scanner.isWhole]).toEqual([true, true]);
        const { id, model, object, usage, service_tier, error, x_groq, ...rest } = value;
        const [first]: unknown[] = Array.isArray(rest.choices) ? rest.choices : [];
        // The first choice is all that is forwarded of choices, and its index is 0.
        if (isRecord(first) && !Array.isArray(first)) rest.choices = [{ ...first, index: 0 }];
        expect(JSON.parse(`{${passed.slice(1)}}`)).toEqual(JSON.parse(JSON.stringify(rest)));
        for (const [kept, one] of Object.entries({
          id,
          model,
          object,
          usage,
          service_tier,
          error,
          x_groq,
        })) {
          const text = scanner.kept.get(kept);
          if (Object.hasOwn(value, kept))
            expect(JSON.parse(text as string)).toEqual(JSON.parse(JSON.stringify(one)));
          else expect(text).toBeUndefined();
        }
        expect(scanner.hasChoices).toBe(Array.isArray(value.choices));
      },
    ),
    { numRuns: 1000 },
  );
});

test("a name written with escapes is the name it decodes to, and of two the last counts", () => {
  const { scanner, passed } = scan(
    String.raw`{"\u0075sage":{"a":1},"choices":[],"usage":{"a":2},"n":1}`,
  );
  expect([scanner.kept.get("usage"), passed]).toEqual(['{"a":2}', ',"choices":[],"n":1']);
});

test.each([
  "[]",
  '"x"',
  "<html>",
  "{,}",
  '{"a" 1}',
  '{"a":}',
  '{"a":[}',
  '{"a":{]}',
  '{"a":1,}',
  '{"a":1}{}',
  '{"a":1} x',
  `{"a":${"[".repeat(65)}`,
  `{"${"n".repeat(300)}":1}`,
  "{a:1}",
])("%s is not an object", (text) => {
  expect(scan(text).isJson).toBe(false);
});

test("an unclosed object is incomplete", () => {
  for (const text of ["", "{", '{"a', '{"a":', '{"a":[1', '{"a":"x', '{"a":1', '{"a":1,']) {
    const { scanner, isJson } = scan(text);
    expect([isJson, scanner.isWhole], text).toEqual([true, false]);
  }
});

test("a kept member that is far too long is recorded as such, and not stored", () => {
  const { scanner, isJson, passed } = scan(`{"usage":"${"x".repeat(100_000)}","choices":[1]}`);
  expect([isJson, scanner.kept.get("usage"), passed]).toEqual([true, null, ',"choices":[1]']);
});
