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

/**
 * One object with the members of all choices: MCP allows choices at the top of a schema, and most
 * upstreams take none there. `schema` itself when it has none.
 */
export function objectSchema(schema: JsonObject): JsonObject {
  if ((schema.anyOf ?? schema.oneOf ?? schema.allOf) === undefined) return schema;
  const { anyOf, oneOf, allOf, ...own } = schema;
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
