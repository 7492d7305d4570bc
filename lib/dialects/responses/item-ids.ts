/**
 * The ids of responses and their items. An item's id contains its response's, so that a reference to
 * an item finds the response without a list of items.
 */
import type { InputItem } from "../../contract/responses";
import { isKeyOf } from "../../values/records";

const responsePrefix = "resp_";
const prefixes = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
  tool_search_call: "tsc",
  web_search_call: "ws",
  file_search_call: "fs",
  code_interpreter_call: "ci",
  image_generation_call: "ig",
  mcp_call: "mcp",
  mcp_list_tools: "mcpl",
  mcp_approval_request: "mcpr",
  compaction: "cmp",
} as const;
type ItemKind = keyof typeof prefixes;

/** Operations have ids of 32 hexadecimal digits. */
const responsePattern = /^resp_[0-9a-f]{32}$/;
const itemPattern =
  /^(?:msg|rs|fc|fco|ctc|ctco|tsc|ws|fs|ci|ig|mcp|mcpl|mcpr|cmp|item)_([0-9a-f]{32})_(i?)(\d{1,5})$/;

export const responseIdOf = (operationHex: string): string => responsePrefix + operationHex;

export const operationHexOf = (responseId: string): string =>
  responseId.slice(responsePrefix.length);

/** Whether a text has the form of a response's id. Text of any other form is never looked up. */
export const isResponseId = (text: string): boolean => responsePattern.test(text);

/** The id of an output item of any kind, as an upstream of this API names it. */
export const nativeItemId = (kind: unknown, operationHex: string, index: number): string =>
  `${typeof kind === "string" && isKeyOf(prefixes, kind) ? prefixes[kind] : "item"}_${operationHex}_${index}`;

export const outputItemId = (kind: ItemKind, operationHex: string, index: number): string =>
  `${prefixes[kind]}_${operationHex}_${index}`;

/** The id of the input item at `index`: the client's own, or one made here. */
export function inputItemId(item: InputItem, operationHex: string, index: number): string {
  if (item.type === "item_reference") return item.id;
  if (item.id) return item.id;
  const kind = item.type ?? "message";
  return `${isKeyOf(prefixes, kind) ? prefixes[kind] : "item"}_${operationHex}_i${index}`;
}

export interface ItemPlace {
  readonly responseId: string;
  readonly isInput: boolean;
  readonly index: number;
}

/** Where an item with an id made here is; null for any other text. */
export function placeOf(itemId: string): ItemPlace | null {
  const [, hex, input, index] = itemPattern.exec(itemId) ?? [];
  if (hex === undefined) return null;
  return { responseId: responseIdOf(hex), isInput: input === "i", index: Number(index) };
}
