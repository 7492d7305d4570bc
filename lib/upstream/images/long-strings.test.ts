/**
 * Tests that images are taken out of an answer unchanged, however the answer is written and split
 * into chunks.
 */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { LongStrings } from "./long-strings";

const image = randomBytes(700_001);
const encoded = image.toString("base64");

function read(answer: string, sizes: readonly number[]) {
  const longStrings = new LongStrings();
  const bytes = Buffer.from(answer);
  let isKept = true;
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length] as number;
    isKept = longStrings.push(bytes.subarray(at, at + size)) && isKept;
    at += size;
  }
  return { longStrings, isKept, text: longStrings.text() };
}

function imageIn(
  answer: string,
  sizes: readonly number[],
): { image: Buffer; rest: Record<string, unknown> } {
  const { longStrings, text } = read(answer, sizes);
  expect(text.length).toBeLessThan(1000);
  const { b64_json: name, ...rest } = JSON.parse(text) as Record<string, string>;
  return { image: Buffer.concat(longStrings.piecesOf(name ?? "") ?? []), rest };
}

const spellings: readonly [string, string][] = [
  ["plain", encoded],
  ["as a data URL", `data:image/png;base64,${encoded}`],
  ["with escaped slashes", `data:image\\/png;base64,${encoded.replaceAll("/", "\\/")}`],
  ["with slashes by their code", encoded.replaceAll("/", "\\u002f")],
  ["in lines", encoded.replace(/(.{76})/g, "$1\\r\\n")],
  ["in the other alphabet, without padding", image.toString("base64url")],
];

test.each(spellings)("a long string %s is taken out, before and after others", (_, spelled) => {
  const answer = `{"a":"\\"é\\\\","b64_json":"${spelled}","z":{"y":"\\\\"}}`;
  for (const sizes of [[answer.length], [65_536], [1000, 1, 7, 3]]) {
    const found = imageIn(answer, sizes);
    expect(found.image.equals(image)).toBe(true);
    expect(found.rest).toEqual({ a: '"é\\', z: { y: "\\" } });
  }
});

test("short strings stay unchanged, also in chunks of one byte", () => {
  const answer = JSON.stringify({
    error: { message: 'é "quoted" \\ 😀' },
    data: [{ b64_json: "cGljdHVyZQ==" }],
  });
  const { text, longStrings } = read(answer, [1]);
  expect(text).toBe(answer);
  expect(longStrings.piecesOf("cGljdHVyZQ==")).toBeNull();
});

test("several long strings are kept apart, and an answer that ends within one is invalid", () => {
  const other = randomBytes(100_000);
  const { text, longStrings } = read(`["${other.toString("base64")}","${encoded}"]`, [10_000]);
  const pieces = (JSON.parse(text) as string[]).map((name) =>
    Buffer.concat(longStrings.piecesOf(name) ?? []),
  );
  expect([other, image].map((bytes, index) => pieces[index]?.equals(bytes))).toEqual([true, true]);
  expect(() => JSON.parse(read(`{"b64_json":"${encoded}`, [10_000]).text)).toThrow();
});

test("an answer with too much text besides its long strings is refused", () => {
  expect(read(`[${'"a",'.repeat(300_000)}""]`, [65_536]).isKept).toBe(false);
});
