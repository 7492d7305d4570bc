/** Values that a schema itself gives: its default, its examples, its `const` and its `enum`. */
import { listOf } from "../../values/records";
import type { Acceptance } from "./accepts";
import { impossible } from "./budget";
import type { SchemaObject } from "./schema";

const LISTED_TRIED = 500;

function withoutBranches({ anyOf: _, oneOf: __, ...rest }: SchemaObject): SchemaObject {
  return rest;
}

/**
 * A value of `const` or `enum` that the rest of the schemas also allow; null when the schemas
 * list none.
 */
export function listedValue(
  parts: readonly SchemaObject[],
  schemas: readonly unknown[],
  variant: number,
  acceptance: Acceptance,
): { readonly value: unknown } | null {
  const lists = parts.flatMap((part) =>
    Object.hasOwn(part, "const") ? [[part.const]] : Array.isArray(part.enum) ? [part.enum] : [],
  );
  const list = lists.toSorted((a, b) => a.length - b.length)[0];
  if (list === undefined) return null;
  const fitting: unknown[] = [];
  for (const value of list.slice(0, LISTED_TRIED)) {
    if (acceptance.all(value, parts.map(withoutBranches)) && acceptance.all(value, schemas))
      fitting.push(value);
    if (fitting.length > variant) break;
  }
  if (fitting.length === 0) throw impossible;
  return { value: fitting[variant % fitting.length] };
}

/** A value that the schema gives as its default or its example. */
export function suggestedValue(
  parts: readonly SchemaObject[],
  schemas: readonly unknown[],
  acceptance: Acceptance,
): unknown {
  for (const part of parts) {
    for (const value of [part.default, listOf(part.examples)[0]]) {
      if (
        value === undefined ||
        value === null ||
        part.pattern !== undefined ||
        part.format !== undefined
      )
        continue;
      if (acceptance.all(value, schemas)) return value;
    }
  }
  return undefined;
}
