import { expect, test } from "vitest";
import { z } from "zod";
import { moment } from "./bounds";
import { accountApiRows, operatorApiRows } from "./key-rows";
import { money, points, pointsInput } from "./points";
import { fromWire, toWire, wireAnswer, wireNames, wireSchema } from "./wire";

const rows = [...accountApiRows, ...operatorApiRows];
type Json = z.core.JSONSchema.BaseSchema;

/** What a document says of the members of a schema, at any depth. */
function* membersOf(schema: Json | boolean | undefined): Generator<[string, Json]> {
  if (typeof schema !== "object") return;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (typeof member === "object") yield [name, member];
    yield* membersOf(member);
  }
  for (const each of [schema.items, schema.additionalProperties].flat()) yield* membersOf(each);
  for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* membersOf(each);
}

test("every name under /v1/admin and /v1/account is in snake case, no time and no points are texts", () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const row of rows) {
    const schemas = [row.request, row.query, row.response].filter((each) => each != null);
    for (const schema of schemas) {
      const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
      for (const [name, member] of membersOf(json)) {
        seen++;
        const text = JSON.stringify({ ...member, properties: undefined });
        const isRight = /^[a-z][a-z0-9_]*$/.test(name) || name === "zh-CN";
        if (!isRight || /date-time|d\{6\}/.test(text)) wrong.push(`${row.name} ${name}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(1000);
});

const key = z.object({
  hourlySpendMax: points.nullable(),
  spent30Days: points,
  last4: z.string(),
  cost: money,
  expiresAt: moment.nullable().optional(),
  byDay: z.array(z.object({ endedAt: moment, held: points })),
  headers: z.object({}).catchall(z.string()),
});
const shown = {
  hourlySpendMax: null,
  spent30Days: "12.500000",
  last4: "4242",
  cost: "0.000001",
  expiresAt: "2026-01-01T00:00:00.500Z",
  byDay: [{ endedAt: "1970-01-01T00:00:01Z", held: "0.000000" }],
  headers: { camelCase: "as it is" },
};
const sent = {
  hourly_spend_points_max: null,
  spent_30_days_points: 12.5,
  last4: "4242",
  cost: 0.000001,
  expires_at: 1_767_225_600,
  by_day: [{ ended_at: 1, held_points: 0 }],
  headers: { camelCase: "as it is" },
};

test("an answer has the names of /v1, epoch seconds, and numbers of points, as its schema says", () => {
  expect(toWire(key, shown)).toEqual(sent);
  expect(wireSchema(key).parse(sent)).toEqual(sent);
  expect(Object.fromEntries(wireNames(key))).toMatchObject({ held: "held_points" });
});

test("a page of a list has data, has_more and last_id, and so has a list alone without the last two", () => {
  const page = z.object({ keys: z.array(key), nextCursor: z.string().nullable() });
  const first = { object: "list", data: [sent], has_more: true, last_id: "x" };
  expect(toWire(page, { keys: [shown], nextCursor: "x" })).toEqual(first);
  expect(wireAnswer(page).parse(first)).toEqual(first);
  expect(toWire(page, { keys: [], nextCursor: null })).toMatchObject({ has_more: false });
  const all = { object: "list", data: [sent] };
  expect(toWire(z.object({ keys: z.array(key) }), { keys: [shown] })).toEqual(all);
});

const request = z.strictObject({ threshold: pointsInput.nullable(), endsAt: moment.optional() });

test("a body is checked by its names under /v1, and reaches its command as the page's", () => {
  const wired = wireSchema(request);
  const body = { threshold_points: 2.5, ends_at: 1 };
  expect(wired.safeParse(body).success).toBe(true);
  const read = { threshold: "2.5", endsAt: "1970-01-01T00:00:01.000Z" };
  expect(request.parse(fromWire(request, body))).toEqual(read);
  for (const wrong of [{ threshold: "2.5" }, { threshold_points: "2.5" }, { threshold_points: -1 }])
    expect(wired.safeParse(wrong).success).toBe(false);
});
