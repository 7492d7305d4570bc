import fc from "fast-check";
import { expect, test } from "vitest";
import { SSE_EVENT_CHARACTERS_MAX, SseParser } from "./sse-parser";

function parse(pieces: readonly Buffer[]): string[] {
  const events: string[] = [];
  const parser = new SseParser((data) => events.push(data));
  for (const piece of pieces) expect(parser.push(piece)).toBe(true);
  parser.end();
  return events;
}

test("events are the same however the bytes are split, with LF, CRLF or CR, comments and other fields between", () => {
  const payload = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
    .filter((text) => !/[\r\n]/.test(text));
  fc.assert(
    fc.property(
      fc.array(payload, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.boolean(),
      (payloads, newline, cuts, hasSpace) => {
        const lines = payloads.flatMap((text) => [
          ": comment",
          "event: x",
          "id",
          `data:${hasSpace ? " " : text.startsWith(" ") ? " " : ""}${text}`,
          "",
        ]);
        const bytes = Buffer.from(lines.map((line) => line + newline).join(""));
        const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort(
          (one, other) => one - other,
        );
        const pieces = [0, ...places].map((start, index) =>
          bytes.subarray(start, places[index] ?? bytes.length),
        );
        expect(parse(pieces)).toEqual(payloads);
      },
    ),
    { numRuns: 1000 },
  );
});

test("an error in a field of its own is an event with an error", () => {
  expect(parse([Buffer.from('error: {"code":400}\n\nerror: no memory\n\n')])).toEqual([
    '{"error":{"code":400}}',
    '{"error":"no memory"}',
  ]);
});

test("several data lines form one event, an empty one counts, and the last needs no blank line", () => {
  expect(parse([Buffer.from("data: a\ndata\ndata: b\n\ndata: [DONE]")])).toEqual([
    "a\n\nb",
    "[DONE]",
  ]);
  expect(parse([Buffer.from("database: no\ndat\n\n")])).toEqual([]);
});

test("a line or an event beyond its bound is refused, whether or not it ever ends", () => {
  const endless = new SseParser(() => {});
  let isWithin = true;
  for (let sent = 0; sent <= SSE_EVENT_CHARACTERS_MAX && isWithin; sent += 65_536)
    isWithin = endless.push(Buffer.alloc(65_536, "x"));
  expect(isWithin).toBe(false);
  const joined = new SseParser(() => {});
  isWithin = true;
  for (let sent = 0; sent <= SSE_EVENT_CHARACTERS_MAX && isWithin; sent += 1000)
    isWithin = joined.push(Buffer.from(`data: ${"y".repeat(1000)}\n`));
  expect(isWithin).toBe(false);
});
