/** The block that is open in a stream of an upstream of the same API, and what may be told of it. */
import { hostedBlocks } from "../../contract/messages-blocks";
import { isKeyOf, isRecord } from "../../values/records";
import { ObjectText } from "../object-text";
import type { JsonObject } from "../text-dialect";

/** The texts of each kind of block that an answer here may have. */
const textNames: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
  tool_use: [],
};
/** The member of each delta, and the block that it continues. */
const deltaNames: Readonly<Record<string, readonly [member: string, block: string]>> = {
  text_delta: ["text", "text"],
  thinking_delta: ["thinking", "thinking"],
  signature_delta: ["signature", "thinking"],
  input_json_delta: ["partial_json", "tool_use"],
  citations_delta: ["citation", "text"],
};

/** Blocks of tools that the upstream runs, and of its own settings. It sends them only where it was asked to. */
const isHosted = (type: unknown) => hostedBlocks.some((kind) => kind === type);

const isWord = (value: unknown): value is string => typeof value === "string" && value !== "";

/**
 * A block as it begins; null for one that is left out. `ownName`: the client's name of a tool.
 */
export function beginningOf(
  block: unknown,
  makeId: () => string,
  ownName: (name: string) => string,
): JsonObject | null {
  if (!isRecord(block) || !isWord(block.type)) return null;
  if (isHosted(block.type)) return block;
  if (!isKeyOf(textNames, block.type)) return null;
  if (block.type === "tool_use") {
    if (!isWord(block.name)) return null;
    const id = isWord(block.id) ? block.id : makeId();
    const name = ownName(block.name);
    return { ...block, id, name, input: isRecord(block.input) ? block.input : {} };
  }
  const texts = (textNames[block.type] ?? []).map((name) => {
    const text = block[name];
    return [name, typeof text === "string" ? text : ""] as const;
  });
  return { ...block, ...Object.fromEntries(texts) };
}

export class NativeOpenBlock {
  readonly #type: unknown;
  readonly #input: ObjectText | null;

  constructor(
    readonly index: number,
    block: JsonObject,
  ) {
    this.#type = block.type;
    const isEmpty = isRecord(block.input) && Object.keys(block.input).length === 0;
    this.#input = block.type === "tool_use" && isEmpty ? new ObjectText() : null;
  }

  get isCall(): boolean {
    return this.#type === "tool_use";
  }

  /** What may be told of a delta; null for nothing. */
  take(delta: unknown): JsonObject | null {
    if (!isRecord(delta) || !isWord(delta.type)) return null;
    if (isHosted(this.#type)) return delta;
    const [name, type] = deltaNames[delta.type] ?? [];
    if (name === undefined || type !== this.#type) return null;
    if (name === "citation") return isRecord(delta.citation) ? delta : null;
    const text = delta[name];
    if (typeof text !== "string" || (this.isCall && this.#input === null)) return null;
    const told = this.#input === null ? text : this.#input.push(text);
    return told === "" && text !== "" ? null : { ...delta, [name]: told };
  }

  /** The delta that is missing at the end; null for none. Also tells whether the input is whole. */
  end(): { readonly delta: JsonObject | null; readonly isBroken: boolean } {
    const text = this.#input?.end() ?? "";
    return {
      delta: text === "" ? null : { type: "input_json_delta", partial_json: text },
      isBroken: this.#input?.isBroken === true,
    };
  }
}
