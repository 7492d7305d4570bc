/** Bodies that are generated from a JSON schema, and damaged here and there. */
import fc from "fast-check";
import { expect } from "vitest";
import { z } from "zod";
import type { TestRelay } from "./test-relay";

const BATCH = 20;

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

/** The values of members, by name, that a schema alone does not tell. */
export type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>;

function objectOf({ properties = {}, required = [] }: Schema, known: Known): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, member]) => {
    const value = (Object.hasOwn(known, name) && known[name]) || arbitraryOf(member, known);
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
  const told: fc.Arbitrary<object> = fc.record(Object.fromEntries(members));
  const more = fc.dictionary(fc.constantFrom("cache_control", "unknown", "x y"), odd, {
    maxKeys: 1,
  });
  return fc.oneof(
    { weight: 9, arbitrary: told },
    { weight: 1, arbitrary: fc.tuple(told, more).map(([own, others]) => ({ ...own, ...others })) },
  );
}

/** Values that the schema allows, most of the time. */
function arbitraryOf(schema: Schema, known: Known = {}): fc.Arbitrary<unknown> {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) return objectOf(schema, known);
  if (branches.length > 0) return fc.oneof(...branches.map((branch) => arbitraryOf(branch, known)));
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
      return fc.array(arbitraryOf(schema.items ?? {}, known), { minLength: 1, maxLength: 3 });
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

interface Fuzz {
  readonly path: string;
  readonly schema: z.ZodType;
  readonly known?: Known;
  /** Its model, for all bodies. */
  readonly model?: string;
  /** What a refusal says. */
  readonly failure: z.ZodType;
  readonly total: number;
}

/**
 * Sends bodies of the schema, twenty at once. Each is served and charged, or refused with 4xx in the
 * form of `failure`; in the end nothing is held. At least a tenth is refused with 400.
 */
export async function sendBodies(relay: TestRelay, fuzz: Fuzz): Promise<void> {
  const { path, known, model, failure, total } = fuzz;
  const schema = z.toJSONSchema(fuzz.schema, { io: "input", unrepresentable: "any" });
  const bodies = arbitraryOf(schema as Schema, known).map((body) =>
    typeof body === "object" ? JSON.stringify({ ...body, ...(model && { model }) }) : String(body),
  );
  const before = await relay.balance();
  const earlier = (await relay.ends()).length;
  let [served, refused] = [0, 0];
  const check = async (body: string) => {
    const { status, text, json } = await relay.send(path, { body });
    // An order in the background is served, too.
    if (status === 200 || status === 202) return void served++;
    if (status === 400) refused++;
    expect(status, `${body} → ${text}`).toBeGreaterThanOrEqual(400);
    expect(status, `${body} → ${text}`).toBeLessThan(500);
    expect(failure.safeParse(json).success, text).toBe(true);
    expect(text).not.toContain("undefined");
  };
  const size = { minLength: BATCH, maxLength: BATCH };
  await fc.assert(
    fc.asyncProperty(fc.array(bodies, size), async (batch) => {
      await Promise.all(batch.map(check));
    }),
    { numRuns: total / BATCH, endOnFailure: true },
  );
  await expect
    .poll(async () => (await relay.balance()).held, { timeout: 120_000, interval: 200 })
    .toBe(0n);
  const ends = (await relay.ends()).slice(earlier);
  expect(ends).toHaveLength(served);
  expect(ends.length).toBeGreaterThan(total / 40);
  expect(refused).toBeGreaterThan(total / 10);
  expect(before.available - (await relay.balance()).available).toBe(
    BigInt(ends.reduce((sum, { amount }) => sum + amount, 0)),
  );
}
