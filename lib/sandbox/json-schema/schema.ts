/** Reads a client's JSON Schema, whose form may be arbitrary. */
import { listOf } from "../../values/records";
import { type Budget, impossible } from "./budget";

export type SchemaObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

/** An own member of the object, never one of its prototype. */
export const own = (object: SchemaObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const POINTER_CHARACTERS_MAX = 1_000;

function unescapeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return segment;
  }
}

/** The target of a `$ref` inside `root`; `true`, which allows everything, when there is none. */
export function resolveReference(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#") || reference.length > POINTER_CHARACTERS_MAX) return true;
  let found: unknown = root;
  for (const segment of reference.slice(1).split("/").slice(1)) {
    const name = unescapeSegment(segment);
    if (isObject(found)) found = own(found, name);
    else found = Array.isArray(found) && /^\d{1,6}$/.test(name) ? found[Number(name)] : undefined;
  }
  return found ?? true;
}

const types = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
export type Type = (typeof types)[number];

const keywordTypes: readonly (readonly [Type, readonly string[]])[] = [
  [
    "object",
    [
      "properties",
      "required",
      "additionalProperties",
      "patternProperties",
      "propertyNames",
      "minProperties",
      "maxProperties",
    ],
  ],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The types that one schema names; null when it names none. */
export function namedTypes(schema: SchemaObject): readonly Type[] | null {
  const { type } = schema;
  const named = (Array.isArray(type) ? type : [type]).filter((name): name is Type =>
    types.some((type) => type === name),
  );
  if (named.length === 0) return null;
  return schema.nullable === true && !named.includes("null") ? [...named, "null"] : named;
}

/** The types that all `schemas` allow, the best one first. */
export function allowedTypes(schemas: readonly SchemaObject[]): readonly Type[] {
  let allowed: readonly Type[] | null = null;
  for (const schema of schemas) {
    const named = namedTypes(schema);
    if (named === null) continue;
    if (allowed === null) allowed = named;
    else allowed = both(allowed, named);
  }
  if (allowed?.length === 0) throw impossible;
  if (allowed !== null)
    return allowed.toSorted((a, b) => Number(a === "null") - Number(b === "null"));
  const hinted = keywordTypes.filter(([, keywords]) =>
    schemas.some((schema) => keywords.some((keyword) => Object.hasOwn(schema, keyword))),
  );
  return [...hinted.map(([type]) => type), "string"];
}

function both(left: readonly Type[], right: readonly Type[]): readonly Type[] {
  const narrow = left.map((type) =>
    type === "number" && right.includes("integer") && !right.includes("number") ? "integer" : type,
  );
  return narrow.filter(
    (type) => right.includes(type) || (type === "integer" && right.includes("number")),
  );
}

/** The largest (or smallest) number that any of the schemas gives for a keyword. */
export function strictest(
  schemas: readonly SchemaObject[],
  keyword: string,
  choose: (...values: number[]) => number,
): number | null {
  const values = schemas
    .map((schema) => numberOf(schema[keyword]))
    .filter((value) => value !== null);
  return values.length === 0 ? null : choose(...values);
}

export interface Expanded {
  /** The schemas that must all be satisfied, without those inside `anyOf` and `oneOf`. */
  readonly parts: readonly SchemaObject[];
  /** One branch of each group must be satisfied. */
  readonly groups: readonly (readonly unknown[])[];
  /** The targets of the references that were followed. */
  readonly targets: readonly object[];
}

/** Follows `$ref` and `allOf`. Throws `Impossible` when a schema is `false`. */
export function expand(schemas: readonly unknown[], root: unknown, budget: Budget): Expanded {
  const parts = new Set<SchemaObject>();
  const groups: (readonly unknown[])[] = [];
  const targets: object[] = [];
  const waiting = [...schemas].reverse();
  while (waiting.length > 0) {
    const schema = waiting.pop();
    budget.step();
    if (schema === false) throw impossible;
    if (!isObject(schema) || parts.has(schema)) continue;
    parts.add(schema);
    if (typeof schema.$ref === "string") {
      const target = resolveReference(root, schema.$ref);
      if (isObject(target)) targets.push(target);
      waiting.push(target);
    }
    const all = listOf(schema.allOf);
    budget.step(all.length);
    for (let at = all.length - 1; at >= 0; at--) waiting.push(all[at]);
    for (const group of [listOf(schema.anyOf), listOf(schema.oneOf)])
      if (group.length > 0) groups.push(group);
  }
  return { parts: [...parts], groups, targets };
}
