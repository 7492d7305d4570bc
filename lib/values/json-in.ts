import { isRecord } from "./records";

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of an object's JSON text; none for any other text. */
export function membersIn(text: string): Record<string, unknown> {
  const value = jsonIn(text);
  return isRecord(value) ? value : {};
}
