/**
 * The convention of `/v1` for rows of the pages: names in snake case, times as epoch seconds,
 * points and money as decimal numbers, and in the names of points their unit. A list is `data`,
 * with `has_more`, and with `last_id` for the query parameter `after`.
 */
import { z } from "zod";
import { isRecord } from "../values/records";
import { wireForms, wireNamed } from "./wire-forms";

type Schema = z.core.$ZodType;
type Kind = "moment" | "points" | "amount";

const snake = (name: string) =>
  name
    .replace(/([a-z]{2})(\d+)(?=[A-Z])/g, "$1_$2")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();

/** Without what lets it be absent, null or several. */
function inner(schema: Schema): Schema {
  if (schema instanceof z.ZodArray) return inner(schema.element);
  return isWrapper(schema) ? inner(schema.unwrap()) : schema;
}

const isWrapper = (schema: Schema): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault;

/** The name of a field, such as `hourly_spend_points_max` for the points `hourlySpendMax`. */
function wireName(name: string, schema: Schema): string {
  if (name === "cursor") return "after";
  const own = wireNamed.get(schema);
  if (own !== undefined) return own.name;
  // Names of another kind, such as of a language, are values.
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) return name;
  const words = snake(name);
  const isPoints = wireForms.get(inner(schema))?.kind === "points";
  if (!isPoints || /(^|_)points?(_|$)/.test(words)) return words;
  return words.endsWith("_max") ? words.replace(/_max$/, "_points_max") : `${words}_points`;
}

export interface WireField {
  readonly name: string;
  readonly wire: string;
  readonly schema: Schema;
}
export const fieldsOf = ({ shape }: z.ZodObject): WireField[] =>
  Object.entries(shape).map(([name, schema]) => ({ name, wire: wireName(name, schema), schema }));

/**
 * The schema under other names. What it asks of several members together is left to the schema
 * itself, which reads them by its own names.
 */
function wireObject(schema: z.ZodObject, isQuery = false): z.ZodObject {
  const fields = fieldsOf(schema).map((field) => [field.wire, wireSchema(field.schema, isQuery)]);
  const shape = Object.fromEntries(fields);
  return schema.clone({ ...schema.def, shape, checks: [] }, { parent: true });
}

/**
 * The schema of a query under `/v1`, whose numbers are texts. A name that it does not have is
 * refused: a misspelled filter would choose everything.
 */
export const wireQuery = (schema: z.ZodObject): z.ZodObject => wireObject(schema, true).strict();

/** The schema of what is sent under `/v1` for a value of this one. */
export function wireSchema(schema: Schema, isQuery = false): z.ZodType {
  const form = wireForms.get(schema);
  if (form !== undefined) {
    const { kind, min, max } = form;
    let number = isQuery ? z.coerce.number() : z.number();
    if (kind === "moment") number = number.int();
    if (min !== undefined) number = number.min(min);
    if (max !== undefined) number = number.max(max);
    return kind === "moment" ? number.describe("In epoch seconds") : number;
  }
  if (schema instanceof z.ZodObject) {
    return wireObject(schema);
  }
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: wireSchema(schema.element) }, { parent: true });
  if (isWrapper(schema)) {
    const change = { innerType: wireSchema(schema.unwrap(), isQuery) };
    if (schema instanceof z.ZodOptional) return schema.clone({ ...schema.def, ...change });
    if (schema instanceof z.ZodNullable) return schema.clone({ ...schema.def, ...change });
    return schema.clone({ ...schema.def, ...change });
  }
  if (schema instanceof z.ZodType) return schema;
  throw new Error("this is no schema that a row has");
}

/** A number, or the text of one, as in a query. */
function toText(value: unknown, kind: Kind): unknown {
  const isNumber = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  if (!isNumber) return value;
  return kind === "moment" ? new Date(Number(value) * 1000).toISOString() : String(value);
}

function toNumber(value: unknown, kind: Kind): unknown {
  if (typeof value !== "string") return value;
  return kind === "moment" ? Math.floor(Date.parse(value) / 1000) : Number(value);
}

/** Which way a value is changed. */
class Way {
  /** By the schema: the fields by the names that they have before. */
  readonly #fields = new WeakMap<z.ZodObject, ReadonlyMap<string, WireField>>();

  constructor(
    readonly convert: typeof toText,
    readonly from: "name" | "wire",
    readonly to: "name" | "wire",
  ) {}

  fields(schema: z.ZodObject): ReadonlyMap<string, WireField> {
    const known = this.#fields.get(schema);
    if (known !== undefined) return known;
    const fields = new Map(fieldsOf(schema).map((field) => [field[this.from], field]));
    this.#fields.set(schema, fields);
    return fields;
  }
}

const toWireWay = new Way(toNumber, "name", "wire");
const fromWireWay = new Way(toText, "wire", "name");

function changed(schema: Schema, value: unknown, way: Way): unknown {
  const form = wireForms.get(schema);
  if (form !== undefined) return way.convert(value, form.kind);
  if (isWrapper(schema)) return changed(schema.unwrap(), value, way);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => changed(schema.element, each, way));
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return value;
  const fields = way.fields(schema);
  const { catchall } = schema.def;
  return Object.fromEntries(
    Object.entries(value).map(([given, each]) => {
      const field = fields.get(given);
      const known = field?.schema ?? catchall;
      return [field?.[way.to] ?? given, known ? changed(known, each, way) : each];
    }),
  );
}

/** The list of an answer that is a page of it, or nothing but it. */
function listOf(schema: Schema): { readonly list: WireField; readonly isPaged: boolean } | null {
  if (!(schema instanceof z.ZodObject)) return null;
  const fields = fieldsOf(schema);
  const list = fields.find((field) => field.schema instanceof z.ZodArray);
  const isPaged = "nextCursor" in schema.shape;
  return list && (isPaged || fields.length === 1) ? { list, isPaged } : null;
}

const lastId = z.string().nullable().describe("What `after` takes for the next page; null: none");

/** The schema of an answer under `/v1`. */
export function wireAnswer(schema: z.ZodType): z.ZodType {
  const found = listOf(schema);
  if (found === null || !(schema instanceof z.ZodObject)) return wireSchema(schema);
  const { [found.list.wire]: data, next_cursor: _, ...others } = wireObject(schema).shape;
  return z.object({
    object: z.literal("list"),
    data: data ?? z.never(),
    ...(found.isPaged && { has_more: z.boolean(), last_id: lastId }),
    ...others,
  });
}

/** An answer of the schema as it is sent under `/v1`. */
export function toWire(schema: Schema, answer: unknown): unknown {
  const sent = changed(schema, answer, toWireWay);
  const found = listOf(schema);
  if (found === null || !isRecord(sent)) return sent;
  const { [found.list.wire]: data, next_cursor: next, ...others } = sent;
  const page = found.isPaged && { has_more: next !== null, last_id: next };
  return { object: "list", data, ...page, ...others };
}

/** What was sent under `/v1`, as a value of the schema. */
export const fromWire = (schema: Schema, sent: unknown) => changed(schema, sent, fromWireWay);

/** The names of all fields, with those that they have under `/v1`. */
export function wireNames(schema: Schema | undefined, found = new Map<string, string>()) {
  const at = schema && inner(schema);
  if (!(at instanceof z.ZodObject)) return found;
  for (const field of fieldsOf(at)) {
    if (!found.has(field.name)) found.set(field.name, field.wire);
    wireNames(field.schema, found);
  }
  return found;
}
