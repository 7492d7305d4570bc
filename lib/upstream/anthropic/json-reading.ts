/** Reads members of requests and answers whose values may be anything. */
import type { JsonObject } from "../provider";
import { asObject } from "../transport/upstream-json";

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The objects of a list; none when it is no list. */
export const objectsOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.map(asObject).filter((one) => one !== null) : [];
