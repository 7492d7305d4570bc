/**
 * JSON.parse that also refuses duplicate keys, `__proto__`, deep nesting, lone surrogates, numbers
 * that are not finite, and invalid UTF-8. It scans the text once before parsing and walks the value
 * once after it.
 */
import { isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { RelayError } from "../failures/relay-error";
import { type InSteps, inNextTurn } from "../timing/next-turn";
import { isObject } from "../values/records";

export const JSON_DEPTH_MAX = 64;
const DECODED_BYTES = 1024 * 1024;

const QUOTE = 34;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

export function refuseJson(reason: string): never {
  throw new RelayError("invalid_json", {
    message: `The request body is not valid JSON: ${reason}.`,
  });
}

/**
 * Index of the quote that ends the string opened at `open`; the text's length when nothing does.
 */
export function endOfString(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Counts the members of all objects and refuses too deep nesting, before anything is built. */
function countMembers(text: string): number {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) members++;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > JSON_DEPTH_MAX) refuseJson(`it is nested deeper than ${JSON_DEPTH_MAX} levels`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return members;
}

/**
 * Counts the members of the parsed value. Fewer than in the text means that a name was written
 * twice.
 */
function walk(value: unknown): number {
  if (typeof value === "string") {
    if (!value.isWellFormed()) refuseJson("a string has an unpaired surrogate");
    return 0;
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) refuseJson("a number is too large");
    return 0;
  }
  if (!isObject(value)) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += walk(item);
    return members;
  }
  for (const key of Object.keys(value)) {
    if (key === "__proto__") refuseJson("`__proto__` is not allowed as a name");
    if (!key.isWellFormed()) refuseJson("a name has an unpaired surrogate");
    members += 1 + walk(value[key]);
  }
  return members;
}

/** The first duplicate name of an object. Runs only to word a refusal. */
function duplicateName(text: string): string {
  const open: (Set<string> | null)[] = [];
  let last = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      last = text.slice(at, end + 1);
      at = end;
    } else if (code === OPEN_BRACE) open.push(new Set());
    else if (code === OPEN_BRACKET) open.push(null);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop();
    else if (code === COLON) {
      const name: string = JSON.parse(last);
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return "";
}

const BYTE_ORDER_MARK = 0xfeff;

/** A byte order mark at the beginning is ignored, as JSON permits: some editors write one. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch (error) {
    const place = /at position \d+/.exec(String(error))?.[0];
    return refuseJson(
      text.trim() === "" ? "it is empty" : place ? `unexpected character ${place}` : "syntax error",
    );
  }
}

function assertUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) refuseJson("it is not UTF-8");
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function assertWritten(text: string, value: unknown, members: number): void {
  if (walk(value) === members) return;
  const name = duplicateName(text).slice(0, 80);
  refuseJson(`the name ${JSON.stringify(name)} appears twice in one object`);
}

/** Parses a request body. Throws `invalid_json` with the reason. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  assertUtf8(bytes);
  const text = decode(bytes);
  const members = countMembers(text);
  const value = parse(text);
  assertWritten(text, value, members);
  return value;
}

async function decodeInSteps(bytes: Uint8Array, inSteps: InSteps): Promise<string> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  for (let at = 0; at < bytes.length; at += DECODED_BYTES) {
    const length = Math.min(DECODED_BYTES, bytes.length - at);
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset + at, length);
    text += await inSteps(() => decoder.write(piece));
  }
  return text;
}

/**
 * Parses in steps a body whose members were counted and whose depth was bounded while it arrived.
 */
export async function parseScannedJson(
  bytes: Uint8Array,
  members: number,
  inSteps: InSteps = inNextTurn,
): Promise<unknown> {
  await inSteps(() => assertUtf8(bytes));
  const text = await decodeInSteps(bytes, inSteps);
  const value = await inSteps(() => parse(text));
  await inSteps(() => assertWritten(text, value, members));
  return value;
}
