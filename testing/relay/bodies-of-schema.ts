/** Bodies that are generated from a JSON schema, and damaged here and there. */
import fc from "fast-check";

export interface Schema {
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
export function arbitraryOf(schema: Schema, known: Known = {}): fc.Arbitrary<unknown> {
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
