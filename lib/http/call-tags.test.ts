import fc from "fast-check";
import { expect, test } from "vitest";
import { readTagText, tagFault, tagText } from "../contract/tags";
import { tagsOf } from "./call-tags";

const odd = [
  "__proto__",
  "constructor",
  "toString",
  "a=b",
  "a,b",
  "%",
  "%2C",
  " a ",
  "＝",
  "é",
  "👪",
  "",
];

test("whatever a tag is called, its text is read as it was, and body and header keep it", () => {
  for (const name of odd.slice(0, -1))
    for (const value of odd.slice(0, -1)) {
      const tags = Object.fromEntries([[name, value]]);
      expect(readTagText(tagText(tags)), `${name} ${value}`).toEqual(tags);
      const body: unknown = JSON.parse(JSON.stringify({ metadata: tags }));
      expect(Object.entries(tagsOf(undefined, body, true) ?? {})).toEqual([[name, value]]);
      const both = tagsOf(tagText({ [name === "é" ? "e" : "é"]: "1" }), body, true) ?? {};
      expect(Object.keys(both)).toContain(name);
    }
});

test("any tags that are right are read from their text as they were", () => {
  const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
  const some = fc
    .uniqueArray(fc.tuple(word, word), { selector: ([name]) => name, maxLength: 16 })
    .filter((pairs) => pairs.every(([name, value]) => tagFault(name, value) === null));
  fc.assert(
    fc.property(some, (pairs) => {
      expect(readTagText(tagText(Object.fromEntries(pairs)))).toEqual(Object.fromEntries(pairs));
    }),
  );
});

test("half a character is no tag, also where the other half is next to it", () => {
  expect(tagFault("\ud83d", "\ude00")).toMatch(/control/);
  expect(tagFault("a", "\ud83d")).toMatch(/control/);
  expect(tagFault("😀", "😀")).toBe(null);
});
