/** The schema of a tool's input in the form that upstreams take. */
import { isRecord, listOf } from "../values/records";
import type { JsonObject } from "./text-dialect";

const membersOf = (value: unknown): JsonObject => (isRecord(value) ? value : {});

/** What a reference within the schema leads to; nothing for any other reference. */
export function referredIn(root: JsonObject, reference: unknown): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#/")) return {};
  let place: unknown = root;
  for (const name of reference.slice(2).split("/"))
    place = isRecord(place) && Object.hasOwn(place, name) ? place[name] : {};
  return place;
}

/** Words of a schema that may say null. */
const saysNull: ReadonlySet<string> = new Set(["default", "const", "example"]);
const isAbsent = ([name, value]: [string, unknown]) => value === null && !saysNull.has(name);

const hasChoices = ({ anyOf, oneOf, allOf }: JsonObject) => (anyOf ?? oneOf ?? allOf) !== undefined;

const isUsual = (schema: JsonObject): boolean =>
  schema.type === "object" &&
  isRecord(schema.properties) &&
  !hasChoices(schema) &&
  !Object.entries(schema).some(isAbsent);

/**
 * One object with its members, and those of all choices: MCP allows choices, null, lists of types and no
 * members at the top of a schema, and upstreams refuse them there. `schema` itself when it has none of these.
 */
export function objectSchema(schema: JsonObject): JsonObject {
  if (isUsual(schema)) return schema;
  const given = Object.entries(schema).filter((one) => !isAbsent(one));
  const { anyOf, oneOf, allOf, ...own }: JsonObject = Object.fromEntries(given);
  const partsOf = (list: unknown) =>
    listOf(list).map((one) => {
      const { $ref: reference, ...part } = membersOf(one);
      return { ...membersOf(referredIn(schema, reference)), ...part };
    });
  const always = partsOf(allOf);
  const parts: JsonObject[] = [...partsOf(anyOf), ...partsOf(oneOf), ...always];
  const properties = Object.assign({}, ...parts.map((one) => membersOf(one.properties)));
  const required = [own, ...always].flatMap((one: JsonObject) => listOf(one.required));
  return {
    ...own,
    type: "object",
    properties: { ...properties, ...membersOf(own.properties) },
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}
