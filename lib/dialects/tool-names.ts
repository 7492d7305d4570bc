/** Names of tools as upstreams take them: clients and MCP have longer ones, of more characters. */
import { isRecord } from "../values/records";
import type { JsonObject } from "./text-dialect";

interface NameRule {
  readonly taken: RegExp;
  readonly lengthMax: number;
}

/** OpenAI's names, of which Gemini takes those that begin with a letter. */
const chatRule: NameRule = { taken: /^[A-Za-z_][\w-]{0,63}$/, lengthMax: 64 };
const messagesRule: NameRule = { taken: /^[\w-]{1,128}$/, lengthMax: 128 };

const DIGEST_CHARACTERS = 8;

/** FNV-1a in 32 bits. It tells a request's few tools apart. */
export function digestOf(name: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++)
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(DIGEST_CHARACTERS, "0");
}

/** The name itself, or one that is always the same for it. */
function nameBy({ taken, lengthMax }: NameRule, name: string): string {
  if (name === "" || taken.test(name)) return name;
  const plain = name.replace(/[^\w-]/g, "_").replace(/^(?=[^A-Za-z_])/, "_");
  return `${plain.slice(0, lengthMax - DIGEST_CHARACTERS - 1)}_${digestOf(name)}`;
}

export const chatName = (name: string): string => nameBy(chatRule, name);
export const messagesName = (name: string): string => nameBy(messagesRule, name);

/** An id of a call: an upstream of the Messages API refuses other characters. */
export const messagesCallId = (id: unknown): string =>
  (typeof id === "string" ? id : "").replace(/[^\w-]/g, "_") || "call";

/** `value` itself, unless its name has to change. */
export function withName<Value extends JsonObject>(
  value: Value,
  nameOf: (name: string) => string = chatName,
): Value {
  if (typeof value.name !== "string") return value;
  const name = nameOf(value.name);
  return name === value.name ? value : { ...value, name };
}

/** The same of what is called, in a tool, in a call or in the choice of a tool. */
export function withCalledName(item: unknown): unknown {
  if (!isRecord(item) || !isRecord(item.function)) return item;
  const called = withName(item.function);
  return called === item.function ? item : { ...item, function: called };
}

/**
 * The tools without those whose name an earlier one has: upstreams refuse them, and no model tells them
 * apart. `list` itself when there are none.
 */
export function withoutRepeats<Tool>(list: Tool[], nameOf: (tool: Tool) => unknown): Tool[] {
  const names = new Set<unknown>();
  const kept = list.filter((tool) => {
    const name = nameOf(tool);
    if (typeof name !== "string") return true;
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
  return kept.length === list.length ? list : kept;
}
