import { expect, test } from "vitest";
import { hashKeyText, isKeyText, KEY_LENGTH, keyHint, makeKeyText, movedKeyText } from "./key-text";

test("a created key is well formed, and every single wrong character is detected", () => {
  const key = makeKeyText();
  expect(key).toMatch(/^sk-rly-[0-9A-Za-z]{46}$/);
  expect(key).toHaveLength(KEY_LENGTH);
  expect(isKeyText(key)).toBe(true);
  for (let place = 0; place < key.length; place++) {
    const wrong = key.slice(0, place) + (key[place] === "x" ? "y" : "x") + key.slice(place + 1);
    expect(isKeyText(wrong)).toBe(false);
  }
});

test("all characters of a key are equally likely", () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 2000; i++)
    for (const character of makeKeyText().slice(7, 47))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  const expected = (2000 * 40) / 62;
  const chiSquare = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  // With 61 degrees of freedom, chance exceeds 130 less than once in a million runs.
  expect(chiSquare).toBeLessThan(130);
});

test("keys that differ in one character have different hashes", () => {
  const key = makeKeyText();
  for (let at = "sk-rly-".length; at < key.length; at++) {
    const other = `${key.slice(0, at)}${key[at] === "a" ? "b" : "a"}${key.slice(at + 1)}`;
    expect(hashKeyText(key)).not.toBe(hashKeyText(other));
  }
});

test("the hint shows the first 12 and the last 4 characters", () => {
  const key = makeKeyText();
  expect(keyHint(key)).toBe(`${key.slice(0, 12)}…${key.slice(-4)}`);
});

test("a key of another relay is one text, with its prefix or without, and never one of ours", () => {
  const body = "aB3".repeat(16);
  expect([movedKeyText(body), movedKeyText(`sk-${body}`)]).toEqual([`sk-${body}`, `sk-${body}`]);
  expect(keyHint(`sk-${body}`)).toBe("sk-aB3aB…3aB3");
  for (const other of [makeKeyText(), "sk-short", `sk-${"a".repeat(129)}`, `sk-${body}-7`, ""])
    expect(movedKeyText(other)).toBeNull();
});
