/** What several schemas require together of an object's members and an array's items. */
import { listOf } from "../../values/records";
import type { Budget } from "./budget";
import { isObject, own, type SchemaObject } from "./schema";

const NAMES_TRIED = 1_000;

/**
 * The names that a schema requires, then the first of those that it only describes, in its order.
 */
export function memberNames(
  parts: readonly SchemaObject[],
  withOptional: boolean,
  budget: Budget,
): { readonly names: ReadonlySet<string>; readonly required: ReadonlySet<unknown> } {
  for (const part of parts) budget.step(listOf(part.required).length);
  const required = new Set(
    parts.flatMap((part) => listOf(part.required).filter((name) => typeof name === "string")),
  );
  const names = new Set<string>();
  for (const { properties } of parts) {
    if (withOptional && isObject(properties))
      for (const name of Object.keys(properties).slice(0, NAMES_TRIED)) names.add(name);
  }
  for (const name of required) names.add(name);
  return { names, required };
}

/** What all parts require of one member. */
export function memberSchemas(parts: readonly SchemaObject[], name: string): readonly unknown[] {
  return parts.flatMap(({ properties, additionalProperties, patternProperties }) => {
    const named = isObject(properties) ? own(properties, name) : undefined;
    if (named !== undefined) return [named];
    return additionalProperties === undefined || patternProperties !== undefined
      ? []
      : [additionalProperties];
  });
}

/** What all parts require of the item at one index. */
export function itemSchemas(parts: readonly SchemaObject[], at: number): readonly unknown[] {
  return parts.flatMap(({ prefixItems, items, additionalItems }) => {
    const first = Array.isArray(items) ? items : listOf(prefixItems);
    const schema = at < first.length ? first[at] : Array.isArray(items) ? additionalItems : items;
    return schema === undefined ? [] : [schema];
  });
}
