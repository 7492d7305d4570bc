/** The members of a request that are known, without copying what does not change. */
import type { JsonObject } from "../../upstream/provider";
import type { IgnoredFields } from "../order/ignored-fields";

/**
 * Members whose null says something. Any other null is a field that is absent, which some upstreams
 * refuse to read.
 */
const saysByNull = new Set(["content"]);
const isAbsent = (name: string, value: unknown) => value === null && !saysByNull.has(name);

/** `value` itself when it has only known fields that are not absent, otherwise a copy with those. */
export function onlyKnown<Value extends JsonObject>(
  value: Value,
  known: ReadonlySet<string>,
  place: string,
  ignored: IgnoredFields,
): Value {
  let isClean = true;
  for (const name in value) {
    const isKnown = known.has(name);
    if (isKnown && !isAbsent(name, value[name])) continue;
    isClean = false;
    if (!isKnown) ignored.add(`${place}.${name}`);
  }
  if (isClean) return value;
  // The schema's fields are all known, so the copy has the same type.
  return Object.fromEntries(
    Object.entries(value).filter(([name, of]) => known.has(name) && !isAbsent(name, of)),
  ) as Value;
}

/** `items` itself when none of them changes. */
export function mapped<T>(items: T[], change: (item: T) => T): T[] {
  let copy: T[] | null = null;
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as T;
    const changed = change(item);
    if (changed === item) continue;
    copy ??= [...items];
    copy[at] = changed;
  }
  return copy ?? items;
}
