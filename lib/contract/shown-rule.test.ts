/** One rule for every text that a person or another system names. */
import { expect, test } from "vitest";
import type * as z from "zod";
import { isRecord } from "../values/records";
import { isMailAddress, mayBeEmail } from "./email-shape";
import type { EndpointRow } from "./endpoint";
import { endpoints } from "./endpoints";
import type { PageEndpoint } from "./page-endpoint";
import { pageEndpoints } from "./page-endpoints";
import { claimedName } from "./shown-rule";
import { shownLine, shownName } from "./shown-text";
import { tagFault } from "./tags";
import { listedModel } from "./upstream-models";

const refused = ["a\nb", "a\rb", "a\tb", "a\u0000b", "a\u0085b", "a\u2028b", "a\u2029b"];
const turned = ["\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"];
/** What has no shape, or whatever shape a font gives it. */
const unseen = [
  ...[
    "\u00ad",
    "\u034f",
    "\u115f",
    "\u200b",
    "\u2060",
    "\u2064",
    "\u206a",
    "\u2800",
    "\u3164",
    "\ufeff",
  ],
  ...["\ufff9", "\uffa0", "\ue000", "\u{f0000}", "\u{e0001}", "\u{e0041}", "\u{1d173}", "\ud800"],
];
const wrong = [...refused, ...[...turned, ...unseen].map((mark) => `a${mark}b`)];
/** Piles of accents; and nothing that can be seen. */
const worse = [`a${"\u0301".repeat(8)}b`, "\u200d", "\ufe0f\u200c", "\u0301"];

/** Names that are read by others, in whatever is sent. */
const named = /^(name|title(En|Zh)?|note|reason|anyway|address|taxNumber|email)$/;
/** What a client's own program names and gets back. */
const elsewhere = new Set([
  "createResponse",
  "compactResponse",
  "createMessage",
  "createChatCompletion",
]);
/** An address that is only compared. */
const compared = new Set(["closeAccount.email"]);

/** The fields of an object by their names, through what is optional or null. */
function fieldsOf(schema: unknown): [string, z.ZodType][] {
  if (!isRecord(schema) || !isRecord(schema.def)) return [];
  const { innerType, shape } = schema.def;
  if (innerType !== undefined) return fieldsOf(innerType);
  if (!isRecord(shape)) return [];
  return Object.entries(shape) as [string, z.ZodType][];
}

const bodies: [string, unknown][] = [
  ...Object.entries<PageEndpoint>(pageEndpoints).map(([name, row]): [string, unknown] => [
    name,
    row.body,
  ]),
  ...Object.values<EndpointRow>(endpoints)
    .filter(({ name }) => !elsewhere.has(name))
    .map((row): [string, unknown] => [row.name, row.request]),
];

test("no body takes a name, a title, a reason or an address of more than one line", () => {
  const found = bodies.flatMap(([row, body]) =>
    fieldsOf(body)
      .filter(([field]) => named.test(field))
      .map(([field, schema]) => ({ what: `${row}.${field}`, schema }))
      .filter(({ what }) => !compared.has(what)),
  );
  const texts = found.filter(
    ({ schema }) => schema.safeParse("Ada").success || schema.safeParse("ada@example.com").success,
  );
  expect(texts.length).toBeGreaterThan(30);
  for (const { what, schema } of texts)
    for (const text of [...wrong, ...worse])
      expect([what, JSON.stringify(text), schema.safeParse(text).success]).toEqual([
        what,
        JSON.stringify(text),
        false,
      ]);
});

test("a name has one line and a length; other scripts and emoji are as good as any", () => {
  for (const text of [
    "Ada",
    "Zoë ☕️",
    "张伟",
    "محمد",
    "👩🏽‍💻 team",
    "می‌خواهم",
    "क्‍ष",
    "葛\u{e0100}城",
    "ผู้ที่",
    "Trần Thị",
  ])
    expect(shownName(80).safeParse(` ${text} `).data).toBe(text);
  expect(shownName(3).safeParse("Adam").success).toBe(false);
  expect(shownName(3).safeParse("  ").success).toBe(false);
  expect(shownLine(3).safeParse("").success).toBe(true);
});

test("another system's name is brought into the form of the rule", () => {
  for (const text of wrong) expect(claimedName(text, 80)).toBe("a b");
  for (const text of worse) expect(claimedName(text, 80)).toBeNull();
  expect(claimedName("👩🏽‍💻 team", 80)).toBe("👩🏽‍💻 team");
  expect(claimedName("👍".repeat(50), 5)?.isWellFormed()).toBe(true);
  expect(claimedName("x".repeat(1_000_000), 80)).toHaveLength(80);
});

test("one rule of addresses", () => {
  for (const text of ["a@b.example", "a.b+c@d-e.example", "A@B.EXAMPLE", "a@xn--p1ai.xn--p1ai"])
    expect([text, isMailAddress(text)]).toEqual([text, true]);
  const bad = ["root", "root@host", "a@b.c", "a..b@c.example", ".a@b.example", "a@-b.example"];
  const long = `${"a".repeat(250)}@b.example`;
  for (const text of [...bad, long, "a@b.example ", ...wrong.map((each) => `${each}@b.example`)])
    expect([text, isMailAddress(text)]).toEqual([text, false]);
  expect(mayBeEmail("root@host")).toBe(true);
  for (const text of wrong) expect(mayBeEmail(`${text}@b.example`)).toBe(false);
});

test("tags of requests and the names of an upstream's models are such texts", () => {
  expect([tagFault("team", "支付 ☕️"), tagFault("team", "")]).toEqual([null, null]);
  expect(listedModel.safeParse({ id: "gpt-oss:20b" }).success).toBe(true);
  for (const text of [...wrong, ...worse]) {
    expect([text, tagFault(text, "a"), tagFault("team", text)]).not.toContain(null);
    expect([text, listedModel.safeParse({ id: text }).success]).toEqual([text, false]);
  }
});
