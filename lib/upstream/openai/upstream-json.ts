/** JSON from an upstream: parsed only when it is an object that is not nested too deep. */
import type { JsonObject } from "../provider";

const DEPTH_MAX = 64;
/** What is shorter cannot be nested deep enough to do harm, and most chunks are. */
const SHORT_CHARACTERS = 1024;
const QUOTE = 34;
const BACKSLASH = 92;

function isShallow(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if (code === 123 || code === 91) {
      if (++depth > DEPTH_MAX) return false;
    } else if (code === 125 || code === 93) depth--;
  }
  return true;
}

/** The object that `text` is, or null when it is anything else. */
export function parseUpstreamObject(text: string): JsonObject | null {
  if (text.length > SHORT_CHARACTERS && !isShallow(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

export function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
