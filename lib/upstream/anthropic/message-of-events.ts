/** A message of the Messages API, put together of the events of its stream. */
import type { JsonObject } from "../provider";
import { asObject } from "../transport/upstream-json";
import { textOf } from "./json-reading";

/** The member of a block that a delta continues, by the delta's own. */
const continued = { text: "text", thinking: "thinking", signature: "signature" } as const;

function inputOf(json: string): unknown {
  try {
    return JSON.parse(json === "" ? "{}" : json);
  } catch {
    return {};
  }
}

export function messageOf(events: readonly JsonObject[]): JsonObject {
  const blocks = new Map<unknown, JsonObject>();
  const inputs = new Map<unknown, string>();
  let ending: JsonObject = {};
  for (const event of events) {
    const { index } = event;
    const delta = asObject(event.delta) ?? {};
    if (event.type === "content_block_start")
      blocks.set(index, { ...asObject(event.content_block) });
    else if (event.type === "message_delta") ending = { ...ending, ...delta };
    const block = blocks.get(index);
    if (event.type !== "content_block_delta" || block === undefined) continue;
    for (const [name, member] of Object.entries(continued))
      if (typeof delta[name] === "string") block[member] = textOf(block[member]) + delta[name];
    if (typeof delta.partial_json === "string")
      inputs.set(index, (inputs.get(index) ?? "") + delta.partial_json);
    if (delta.citation !== undefined)
      block.citations = [
        ...(Array.isArray(block.citations) ? block.citations : []),
        delta.citation,
      ];
  }
  for (const [index, json] of inputs) {
    const block = blocks.get(index);
    if (block !== undefined) block.input = inputOf(json);
  }
  return { type: "message", role: "assistant", content: [...blocks.values()], ...ending };
}
