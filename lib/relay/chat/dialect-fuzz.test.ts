/** Bodies that are generated from each dialect's own schema, and damaged here and there. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import {
  chunk,
  completion,
  sendJson,
  startUpstream,
  streamType,
  type TestUpstream,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";
import type { EndpointRow } from "../../contract/endpoint";
import { endpoints } from "../../contract/endpoints";
import { failureBody } from "../../contract/failure-body";
import { messagesFailure } from "../../contract/messages";
import type { Dialect } from "../../contract/states";

const BODIES = 10_000;
const BATCH = 20;

/** The error bodies of the dialects of text that have an endpoint. */
const failures: Partial<Record<Dialect, z.ZodType>> = {
  messages: messagesFailure,
  responses: failureBody,
};

let upstream: TestUpstream;
let relay: TestRelay;

beforeAll(async () => {
  upstream = await startUpstream((response, { body }) => {
    if (body.stream !== true) sendJson(response, completion("hi", { usage: usageOf(1, 1) }));
    else
      response
        .writeHead(200, streamType)
        .end(`${chunk({ content: "hi" }, {}, "stop")}${usageChunk(usageOf(1, 1))}data: [DONE]\n\n`);
  });
  relay = await openTestRelay({ channels: [upstream.channel()], points: "100000" });
});
afterAll(async () => {
  await relay.close();
  await upstream.close();
});

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    "",
    "\u0000",
    "💥",
    "__proto__",
    [],
    {},
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, member]) => {
    const value = arbitraryOf(member);
    const isRequired = required.includes(name);
    // Rare, so that most bodies get past the schema.
    return [
      name,
      fc.oneof(
        { weight: isRequired ? 200 : 40, arbitrary: value },
        { weight: isRequired ? 0 : 160, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: odd },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    ];
  });
  const known: fc.Arbitrary<object> = fc.record(Object.fromEntries(members));
  const more = fc.dictionary(fc.constantFrom("cache_control", "unknown", "x y"), odd, {
    maxKeys: 1,
  });
  return fc.oneof(
    { weight: 9, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(known, more).map(([own, others]) => ({ ...own, ...others })) },
  );
}

/** Values that the schema allows, most of the time. */
function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) return objectOf(schema);
  if (branches.length > 0) return fc.oneof(...branches.map(arbitraryOf));
  switch (schema.type) {
    case "string":
      return fc.string({ minLength: 1, maxLength: 20 });
    case "integer":
      return fc.integer({ min: 1, max: 5000 });
    case "number":
      return fc.double({ min: 0, max: 1, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}), { minLength: 1, maxLength: 3 });
    case "object":
      return fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), {
        maxKeys: 3,
      });
    case "null":
      return fc.constant(null);
    default:
      return odd;
  }
}

const rows: EndpointRow[] = Object.values(endpoints);
const sold = rows.filter(
  ({ dialect, billing }) => dialect && failures[dialect] && billing === "generation",
);

test.each(sold)(
  "$path: 10,000 bodies of its schema get 4xx in its own form or are served, and no hold stays open",
  { timeout: 900_000 },
  async ({ path, request, dialect }) => {
    const schema = z.toJSONSchema(request ?? z.never(), { io: "input", unrepresentable: "any" });
    const named = arbitraryOf(schema as Schema).map((body) =>
      typeof body === "object" ? JSON.stringify({ ...body, model: "RelayV1" }) : String(body),
    );
    const failure = (dialect && failures[dialect]) ?? z.never();
    const known = (await relay.ends()).length;
    const before = await relay.balance();
    const seen = new Map<number, number>();
    const check = async (body: string) => {
      const { status, text, json } = await relay.send(path, { body });
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status === 200) return;
      expect(status, `${body} → ${text}`).toBeGreaterThanOrEqual(400);
      expect(status, `${body} → ${text}`).toBeLessThan(500);
      expect(failure.safeParse(json).success, text).toBe(true);
      expect(text).not.toContain("undefined");
    };
    await fc.assert(
      fc.asyncProperty(fc.array(named, { minLength: BATCH, maxLength: BATCH }), async (bodies) => {
        await Promise.all(bodies.map(check));
      }),
      { numRuns: BODIES / BATCH, endOnFailure: true },
    );
    const ends = (await relay.ends()).slice(known);
    expect(ends).toHaveLength(seen.get(200) ?? 0);
    expect(ends.length).toBeGreaterThan(1000);
    expect(seen.get(400)).toBeGreaterThan(1000);
    const { available, held } = await relay.balance();
    expect(held).toBe(0n);
    expect(before.available - available).toBe(
      BigInt(ends.reduce((sum, { amount }) => sum + amount, 0)),
    );
  },
);
