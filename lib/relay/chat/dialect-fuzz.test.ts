/** Bodies that are generated from each dialect's own schema, and damaged here and there. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { extent } from "@/testing/extent/extent";
import { arbitraryOf, type Schema } from "@/testing/relay/bodies-of-schema";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { saying, usageOf } from "@/testing/upstream/test-upstream";
import type { EndpointRow } from "../../contract/endpoint";
import { endpoints } from "../../contract/endpoints";
import { failureBody } from "../../contract/failure-body";
import { messagesFailure } from "../../contract/messages";
import type { Dialect } from "../../contract/states";

const BODIES = extent(1000, 10_000);
const BATCH = 20;

/** The error bodies of the dialects of text that have an endpoint. */
const failures: Partial<Record<Dialect, z.ZodType>> = {
  messages: messagesFailure,
  responses: failureBody,
};

const setup = scriptedRelay((upstream) => ({ channels: [upstream.channel()], points: "100000" }));
setup.script = saying("hi", usageOf(1, 1));

const rows: EndpointRow[] = Object.values(endpoints);
const sold = rows.filter(
  ({ dialect, billing }) => dialect && failures[dialect] && billing === "generation",
);

test.each(sold)(
  "$path: bodies of its schema get 4xx in its own form or are served, and no hold stays open",
  { timeout: 900_000 },
  async ({ path, request, dialect }) => {
    const schema = z.toJSONSchema(request ?? z.never(), { io: "input", unrepresentable: "any" });
    const named = arbitraryOf(schema as Schema).map((body) =>
      typeof body === "object" ? JSON.stringify({ ...body, model: "RelayV1" }) : String(body),
    );
    const failure = (dialect && failures[dialect]) ?? z.never();
    const known = (await setup.relay.ends()).length;
    const before = await setup.relay.balance();
    const seen = new Map<number, number>();
    const check = async (body: string) => {
      const { status, text, json } = await setup.relay.send(path, { body });
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
    const ends = (await setup.relay.ends()).slice(known);
    expect(ends).toHaveLength(seen.get(200) ?? 0);
    expect(ends.length).toBeGreaterThan(BODIES / 10);
    expect(seen.get(400)).toBeGreaterThan(BODIES / 10);
    const { available, held } = await setup.relay.balance();
    expect(held).toBe(0n);
    expect(before.available - available).toBe(
      BigInt(ends.reduce((sum, { amount }) => sum + amount, 0)),
    );
  },
);
