/**
 * Schemas of tools in the words that Gemini, Kimi and llama.cpp know, for an upstream that refuses other
 * words. What has no such words is left out: the model may then write what the tool refuses.
 */
import { referredIn } from "../dialects/tool-schema";
import { isRecord, listOf } from "../values/records";
import type { JsonObject } from "./provider";

const DEPTH_MAX = 32;

/** Words that say the same there. */
const kept: ReadonlySet<string> = new Set([
  ...["title", "description", "nullable", "minimum", "maximum"],
]);
const formats: readonly unknown[] = ["date-time", "int32", "int64", "float", "double"];

class PlainSchema {
  /** Where references lead to. */
  constructor(readonly root: JsonObject) {}

  of(given: unknown, depth: number): JsonObject {
    if (!isRecord(given) || depth > DEPTH_MAX) return { type: "object" };
    const { $ref: reference, ...own } = given;
    const schema = { ...merged(referredIn(this.root, reference)), ...own };
    const all: unknown[] = Array.isArray(schema.allOf) ? schema.allOf : [];
    const whole: JsonObject = Object.assign({}, schema, ...all.map(merged));
    const plain: JsonObject = { ...typeOf(whole.type) };
    for (const [name, value] of Object.entries(whole)) if (kept.has(name)) plain[name] = value;
    if (formats.includes(whole.format)) plain.format = whole.format;
    const values = whole.const === undefined ? whole.enum : [whole.const];
    if (isTexts(values)) Object.assign(plain, { type: "string", enum: values });
    else if (plain.type === undefined && isNumbers(values)) plain.type = "number";
    this.#addParts(plain, whole, depth + 1);
    // Kimi takes nothing without a type, and none beside choices.
    if (plain.anyOf === undefined) plain.type ??= "string";
    else delete plain.type;
    return plain;
  }

  #addParts(plain: JsonObject, whole: JsonObject, depth: number): void {
    const { properties, required, items } = whole;
    const given = listOf(whole.anyOf ?? whole.oneOf);
    const some = given.filter((one) => merged(one).type !== "null");
    if (some.length < given.length) plain.nullable = true;
    const choices = some.map((one) => this.#choice(one, whole, depth));
    if (plain.type === "array") plain.items = items ? this.of(items, depth) : { type: "string" };
    if (!isRecord(properties)) {
      if (choices.length === 1) Object.assign(plain, choices[0]);
      else if (choices.length > 1) plain.anyOf = choices;
      return;
    }
    plain.type ??= "object";
    // Of an object, the members of all its choices: these may not stand beside its own.
    plain.properties = Object.fromEntries([
      ...choices.flatMap((one) => Object.entries(merged(one.properties))),
      ...Object.entries(properties).map(([name, one]) => [name, this.of(one, depth)]),
    ]);
    if (Array.isArray(required))
      plain.required = required.filter((name) => Object.hasOwn(properties, String(name)));
  }

  /** A choice has the type of the whole where it has none of its own. */
  #choice(one: unknown, { type }: JsonObject, depth: number): JsonObject {
    const choice = merged(one);
    const isOpen = choice.$ref === undefined && choice.type === undefined && type !== undefined;
    return this.of(isOpen ? { ...choice, type } : choice, depth);
  }
}

const isNumbers = (values: unknown): boolean =>
  Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === "number");
const merged = (schema: unknown): JsonObject => (isRecord(schema) ? schema : {});

const isTexts = (values: unknown): values is string[] =>
  Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === "string");

/** One type, which may be null as well. */
function typeOf(given: unknown): JsonObject {
  const types: unknown[] = Array.isArray(given) ? given : [given];
  const [type] = types.filter((one) => typeof one === "string" && one !== "null");
  if (type === undefined) return {};
  return types.includes("null") ? { type, nullable: true } : { type };
}

/** The schema of a tool's input. */
export const withPlainSchema = (schema: unknown): unknown =>
  isRecord(schema) ? { type: "object", ...new PlainSchema(schema).of(schema, 0) } : schema;

export function withPlainSchemas(body: JsonObject, leaveOut: (name: string) => void): JsonObject {
  const given: unknown[] = Array.isArray(body.tools) ? body.tools : [];
  const tools = given.map((tool) => {
    if (!isRecord(tool) || !isRecord(tool.function)) return tool;
    const { parameters } = tool.function;
    if (parameters === undefined) return tool;
    return { ...tool, function: { ...tool.function, parameters: withPlainSchema(parameters) } };
  });
  leaveOut("tools.function.parameters");
  return { ...body, tools };
}
