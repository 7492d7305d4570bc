import fc from "fast-check";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { saying, usageOf } from "@/testing/upstream/test-upstream";
import { failureBody } from "../../contract/failure-body";

const BODIES = extent(1200, 10_000);
const BATCH = 20;

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel()],
  points: "100000",
}));
setup.script = saying("hi", usageOf(1, 1));

const fields = [
  "model",
  "messages",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "best_of",
  "service_tier",
  "models",
  "temperature",
];
const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  2 ** 64,
  -(2 ** 63),
  5e-324,
);
const oddText = fc.constantFrom(
  "",
  "RelayV1",
  "1",
  "true",
  "null",
  "\u0000",
  "💥",
  "__proto__",
  "' or 1=1 --",
  "x".repeat(5000),
);
const odd = fc.oneof(
  oddNumber,
  oddText,
  fc.constantFrom(null, true, false, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 4 }),
);

const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.oneof(fc.string(), odd) }),
  fc.record({
    type: fc.constant("image_url"),
    image_url: fc.oneof(fc.record({ url: fc.webUrl() }), odd),
  }),
  odd,
);
const message = fc.oneof(
  fc.record({
    role: fc.constantFrom("user", "system", "assistant", "tool", "owner"),
    content: fc.oneof(fc.string(), fc.array(part, { maxLength: 3 }), odd),
  }),
  odd,
);
const valid = fc.record({
  model: fc.constantFrom("RelayV1", "relay-v1"),
  messages: fc.array(fc.record({ role: fc.constantFrom("user", "system"), content: fc.string() }), {
    minLength: 1,
    maxLength: 3,
  }),
});

/** A valid body with some fields replaced, added or removed. */
const mutated = fc
  .tuple(
    valid,
    fc.dictionary(fc.constantFrom(...fields), fc.oneof(odd, fc.array(message, { maxLength: 3 })), {
      maxKeys: 4,
    }),
    fc.subarray(fields, { maxLength: 2 }),
  )
  .map(([body, changes, removed]) => {
    const result: Record<string, unknown> = { ...body, ...changes };
    for (const name of removed) delete result[name];
    return JSON.stringify(result);
  });

/** JSON text with one character changed, dropped or doubled. */
const damaged = fc
  .tuple(mutated, fc.nat(), fc.constantFrom("", '"', "}", "\\", ",", "\u0001", "é", "00"))
  .map(([text, at, piece]) => {
    const place = at % text.length;
    return text.slice(0, place) + piece + text.slice(place + 1);
  });

const anything = fc.oneof(
  { weight: 3, arbitrary: mutated },
  { weight: 1, arbitrary: damaged },
  { weight: 1, arbitrary: odd.map((value) => JSON.stringify(value)) },
);

test("bodies close to the schema get 4xx with the error body or a served request, never 5xx, and leave no hold open", {
  timeout: 240_000,
}, async () => {
  const seen = new Map<number, number>();
  let bodies = 0;
  const check = async (body: string) => {
    bodies++;
    const { status, text, json } = await setup.relay.send("/v1/chat/completions", { body });
    seen.set(status, (seen.get(status) ?? 0) + 1);
    if (status === 200) return;
    expect(status, `${body} → ${text}`).toBeGreaterThanOrEqual(400);
    expect(status, `${body} → ${text}`).toBeLessThan(500);
    expect(failureBody.safeParse(json).success, text).toBe(true);
    expect(json.error?.message).not.toContain("undefined");
  };
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
      await Promise.all(batch.map(check));
    }),
    { numRuns: BODIES / BATCH, endOnFailure: true },
  );
  expect(bodies).toBeGreaterThanOrEqual(BODIES);
  const ends = await setup.relay.ends();
  expect(ends).toHaveLength(seen.get(200) ?? 0);
  expect(ends.length).toBeGreaterThan(BODIES / 100);
  expect(seen.get(400)).toBeGreaterThan(BODIES / 5);
  const { available, held } = await setup.relay.balance();
  expect(held).toBe(0n);
  expect(100_000_000_000n - available).toBe(
    BigInt(ends.reduce((sum, { amount }) => sum + amount, 0)),
  );
});
