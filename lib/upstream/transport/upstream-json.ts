/**
 * Parses JSON from an upstream, but only an object that is not nested too deep and does not have
 * too many values.
 */
import { endOfString } from "../../json/strict-json";
import { isRecord } from "../../values/records";
import type { JsonObject } from "../provider";

const DEPTH_MAX = 64;
/** The most commas. Half a megabyte of logprobs has a third as many. */
const VALUES_MAX = 100_000;
/** A shorter text cannot be nested deep enough to do harm, and most chunks are shorter. */
const SHORT_CHARACTERS = 1024;
const QUOTE = 34;
const COMMA = 44;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * True when the text is not nested too deep, and has few enough values that building them does not
 * block the event loop.
 */
export function isTame(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) {
      if (++values > VALUES_MAX) return false;
    } else if (code === 123 || code === 91) {
      if (++depth > DEPTH_MAX) return false;
    } else if (code === 125 || code === 93) depth--;
  }
  return true;
}

/** Parses `text` as an object; null when it is anything else. */
export function parseUpstreamObject(text: string): JsonObject | null {
  if (text.length > SHORT_CHARACTERS && !isTame(text)) return null;
  try {
    return asObject(JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text));
  } catch {
    return null;
  }
}

export function asObject(value: unknown): JsonObject | null {
  return isRecord(value) ? value : null;
}
