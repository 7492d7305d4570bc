/** Turns the events of one streamed answer into chat chunks. */
import type { JsonObject } from "../provider";
import { asObject } from "../transport/upstream-json";
import { textOf } from "./json-reading";
import { endingOf } from "./to-chat";

/** The calls of one answer that are told apart. Pieces of further ones are dropped. */
const TOOL_CALLS_MAX = 1024;

export class ChatChunks {
  /** The index of each block's call. */
  readonly #calls = new Map<number, number>();
  readonly #created = Math.floor(Date.now() / 1000);
  #hasRole = false;

  #chunk(delta: JsonObject, ending: JsonObject = { finish_reason: null }): JsonObject {
    const role = this.#hasRole ? {} : { role: "assistant" };
    this.#hasRole = true;
    return {
      object: "chat.completion.chunk",
      created: this.#created,
      choices: [{ index: 0, delta: { ...role, ...delta }, ...ending }],
    };
  }

  #begin(block: JsonObject, at: number): JsonObject | null {
    if (block.type === "text") return this.#said("content", block.text);
    if (block.type === "thinking") return this.#said("reasoning_content", block.thinking);
    if (block.type !== "tool_use" || this.#calls.size >= TOOL_CALLS_MAX) return null;
    const index = this.#calls.size;
    this.#calls.set(at, index);
    // An input that comes in pieces is an empty object here.
    const input = asObject(block.input) ?? {};
    const written = Object.keys(input).length > 0 ? JSON.stringify(input) : "";
    const called = { name: textOf(block.name), arguments: written };
    return this.#chunk({
      tool_calls: [{ index, id: textOf(block.id), type: "function", function: called }],
    });
  }

  #said(name: "content" | "reasoning_content", text: unknown): JsonObject | null {
    return textOf(text) === "" ? null : this.#chunk({ [name]: text });
  }

  #continue(delta: JsonObject, at: number): JsonObject | null {
    if (delta.type === "text_delta") return this.#said("content", delta.text);
    if (delta.type === "thinking_delta") return this.#said("reasoning_content", delta.thinking);
    const index = delta.type === "input_json_delta" ? this.#calls.get(at) : undefined;
    const text = textOf(delta.partial_json);
    if (index === undefined || text === "") return null;
    return this.#chunk({ tool_calls: [{ index, function: { arguments: text } }] });
  }

  /** The chunk for an event; null when chat has nothing to say. */
  of(event: JsonObject): JsonObject | null {
    const at = Number(event.index);
    if (event.type === "content_block_start")
      return this.#begin(asObject(event.content_block) ?? {}, at);
    if (event.type === "content_block_delta")
      return this.#continue(asObject(event.delta) ?? {}, at);
    const delta = event.type === "message_delta" ? asObject(event.delta) : null;
    return delta?.stop_reason ? this.#chunk({}, endingOf(delta)) : null;
  }
}
