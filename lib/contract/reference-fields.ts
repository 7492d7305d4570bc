/** Reads the fields of a JSON schema into a flat list, with their types and limits as data. */

/** The parts of JSON Schema that the contract's schemas use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const plainTypes = [
  "string",
  "integer",
  "number",
  "boolean",
  "object",
  "null",
  "date",
  "file",
  "url",
  "dataUrl",
] as const;
type PlainType = (typeof plainTypes)[number];
/** A type, or a list of values of some types. */
export type FieldType = PlainType | { readonly listOf: readonly FieldType[] };

/** Bounds of a number, of a text's length, of a list, or of an object. */
export interface Limit {
  readonly kind: "value" | "characters" | "items" | "members";
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Whether it bounds each item of a list. */
  readonly isEach: boolean;
}

export interface Field {
  /** The path, such as `messages[].role`. */
  readonly name: string;
  readonly types: readonly FieldType[];
  /** As JSON text; empty when there are others. */
  readonly values: readonly string[];
  /** As JSON text; null when it has none that is the same for all requests. */
  readonly defaultValue: string | null;
  readonly limits: readonly Limit[];
  readonly isRequired: boolean;
  readonly description: string;
  /** The alternative that has it, such as `type: "text"`; null where all have it. */
  readonly when: string | null;
}

const branchesOf = ({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [...anyOf, ...oneOf];
/** Branches of a schema that has members of its own only say which of them belong together. */
const alternativesOf = (schema: Schema): readonly Schema[] =>
  schema.properties ? [schema] : [schema, ...branchesOf(schema).flatMap(alternativesOf)];

const byFormat: Readonly<Record<string, PlainType>> = { date: "date", binary: "file", uri: "url" };
/** `text`: a form of text that its sentence says. */
const byTitle: Readonly<Record<string, PlainType>> = {
  URL: "url",
  "data URL": "dataUrl",
  text: "string",
};

function typeOfValue(value: unknown): FieldType {
  if (value === null) return "null";
  if (Array.isArray(value)) return { listOf: unique(value.map(typeOfValue)) };
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return plainTypes.find((type) => type === typeof value) ?? unknownType(value);
}

function unknownType(found: unknown): never {
  throw new Error(`The API reference has no word for the type ${JSON.stringify(found)}.`);
}

const unique = <Value>(values: readonly Value[]): Value[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

function typeOfName(name: string, schema: Schema): FieldType {
  if (name === "array") return { listOf: schema.items ? typesOf(schema.items) : [] };
  const { format, pattern, title } = schema;
  // A form of text that has no word of its own would not be shown.
  if (name === "string" && (format !== undefined || pattern !== undefined))
    return byFormat[format ?? ""] ?? byTitle[title ?? ""] ?? unknownType(schema);
  return plainTypes.find((type) => type === name) ?? unknownType(schema);
}

function typesOf(schema: Schema): FieldType[] {
  if (schema.const !== undefined) return [typeOfValue(schema.const)];
  if (schema.enum) return unique(schema.enum.map(typeOfValue));
  const branches = schema.properties ? [] : branchesOf(schema);
  const titled = branches.flatMap(({ title }) => (title === undefined ? [] : [byTitle[title]]));
  if (titled.length > 0) return titled.map((type) => type ?? unknownType(schema));
  if (schema.type === undefined && branches.length > 0) return unique(branches.flatMap(typesOf));
  if (schema.type === undefined) return unknownType(schema);
  return unique([schema.type].flat().map((name) => typeOfName(name, schema)));
}

function valuesOf(schema: Schema): unknown[] {
  const own = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  return [...own, ...branchesOf(schema).flatMap(valuesOf)].filter((value) => value !== null);
}

/** The bounds of every integer of zod, which are no bounds of the API. */
const isReal = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;

function limitsOf(schema: Schema, isEach = false): Limit[] {
  const all: Limit[] = [
    { kind: "value", min: schema.minimum, max: schema.maximum, isEach },
    { kind: "characters", min: schema.minLength, max: schema.maxLength, isEach },
    { kind: "items", min: schema.minItems, max: schema.maxItems, isEach },
    { kind: "members", max: schema.maxProperties, isEach },
  ];
  const own = all
    .map((limit) => ({
      ...limit,
      min: isReal(limit.min) ? limit.min : undefined,
      max: isReal(limit.max) ? limit.max : undefined,
    }))
    .filter(({ min, max }) => min !== undefined || max !== undefined);
  const inner = schema.properties ? [] : branchesOf(schema).flatMap((one) => limitsOf(one, isEach));
  const each = schema.items && !isEach ? limitsOf(schema.items, true) : [];
  return unique([...own, ...inner, ...each]);
}

/** The member of an alternative that has one value, such as `type: "text"`. */
function labelOf({ properties = {} }: Schema): string | null {
  const [label] = Object.entries(properties).filter(([, { const: value }]) => value !== undefined);
  return label ? `${label[0]}: ${JSON.stringify(label[1].const)}` : null;
}

function fieldOf(name: string, schema: Schema, isRequired: boolean, when: string | null): Field {
  return {
    name,
    types: typesOf(schema),
    values: [...new Set(valuesOf(schema).map((value) => JSON.stringify(value)))],
    defaultValue: schema.default === undefined ? null : JSON.stringify(schema.default),
    limits: limitsOf(schema),
    isRequired,
    description: schema.description ?? "",
    when: schema.const === undefined ? when : null,
  };
}

const hasAnyValue = ({ values, types }: Field) =>
  values.length === 0 && types.some((type) => type !== "null");

/** The same field of two alternatives as one. */
const merged = (one: Field, other: Field): Field => ({
  ...one,
  types: unique([...one.types, ...other.types]),
  values:
    hasAnyValue(one) || hasAnyValue(other) ? [] : [...new Set([...one.values, ...other.values])],
  limits: unique([...one.limits, ...other.limits]),
  isRequired: one.isRequired && other.isRequired,
  when: one.when === other.when ? one.when : null,
});

/** The fields of an object, of its members, and of the items of its lists. */
export function fieldsOf(schema: Schema, before = "", when: string | null = null): Field[] {
  const found: Field[] = [];
  for (const [key, member] of Object.entries(schema.properties ?? {})) {
    const name = `${before}${key}`;
    found.push(fieldOf(name, member, schema.required?.includes(key) ?? false, when));
    for (const branch of alternativesOf(member)) {
      found.push(...fieldsOf(branch, `${name}.`, when));
      if (!branch.items) continue;
      const items = alternativesOf(branch.items);
      for (const item of items)
        found.push(...fieldsOf(item, `${name}[].`, items.length > 2 ? labelOf(item) : when));
    }
  }
  const fields = new Map<string, Field>();
  for (const field of found) {
    const known = fields.get(field.name);
    fields.set(field.name, known ? merged(known, field) : field);
  }
  return [...fields.values()];
}

/** The fields with further ones, each behind the last field that is beside it. */
export function withFields(
  fields: readonly Field[],
  further: readonly (readonly [path: string, schema: Schema])[],
): Field[] {
  const all = [...fields];
  for (const [path, schema] of further) {
    const before = path.slice(0, path.lastIndexOf(".") + 1);
    const field = fieldOf(path, schema, false, null);
    const last = before === "" ? -1 : all.findLastIndex(({ name }) => name.startsWith(before));
    all.splice(last === -1 ? all.length : last + 1, 0, field);
  }
  return all;
}
