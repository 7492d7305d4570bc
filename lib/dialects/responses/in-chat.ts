/**
 * Requests at the address of chat completions that have the form of the Responses API, or tools in its
 * form, as Cursor sends them. Their answers are those of chat, in which it knows functions alone: a call
 * of a custom tool has the input itself as its arguments.
 */
import type { ChatRequest } from "../../contract/chat";
import { simpleTool } from "../../contract/response-tools";
import type { InputItem, ResponsesRequest } from "../../contract/responses";
import { RelayError } from "../../failures/relay-error";
import { isRecord } from "../../values/records";
import type { CanonicalRequest, JsonObject } from "../text-dialect";
import { toChat } from "./to-chat";
import { customArguments, customInput, functionOf, offeredTools } from "./tools";

/** What refers to things that are kept for the Responses API. */
const keptFields = ["previous_response_id", "background", "conversation", "prompt"] as const;

function assertSelfContained(request: ResponsesRequest): void {
  const name = keptFields.find((one) => request[one]);
  if (name === undefined) return;
  throw new RelayError("unsupported_value", {
    param: name,
    message: `\`${name}\` is for the Responses API: send the request to POST /v1/responses.`,
  });
}

const isInResponsesForm = (body: ChatRequest | ResponsesRequest): body is ResponsesRequest =>
  !Array.isArray(body.messages);

type Customs = ReadonlySet<string>;

/** The call of a custom tool comes back as it was told. */
function asOffered(item: InputItem, customs: Customs): InputItem {
  if (item.type !== "function_call" || !customs.has(item.name)) return item;
  const { arguments: told, ...call } = item;
  return { ...call, type: "custom_tool_call", input: customInput(told ?? "") };
}

function ofResponses(request: ResponsesRequest): CanonicalRequest {
  assertSelfContained(request);
  const offered = [...offeredTools(request)];
  const customs = new Set(offered.flatMap(([name, { kind }]) => (kind === "custom" ? [name] : [])));
  const { input } = request;
  const items = typeof input === "string" ? input : input.map((item) => asOffered(item, customs));
  const { body, ...read } = toChat({ ...request, input: items });
  const isUsageAsked = request.stream_options?.include_usage === true;
  if (body.stream === true) body.stream_options = { include_usage: isUsageAsked };
  return { body, ...read, customs };
}

/** A tool in the form of the Responses API, as chat has it; null for any other. */
function flatTool(tool: unknown) {
  const isFlat = isRecord(tool) && tool.function === undefined && tool.custom === undefined;
  const read = isFlat ? simpleTool.safeParse(tool) : null;
  return read?.success === true ? read.data : null;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function withInput(call: unknown, customs: Customs): unknown {
  if (!isRecord(call) || !isRecord(call.function)) return call;
  const { name, arguments: told } = call.function;
  if (typeof name !== "string" || !customs.has(name) || typeof told !== "string") return call;
  return { ...call, function: { ...call.function, arguments: customArguments(customInput(told)) } };
}

function flatChoice(choice: unknown): unknown {
  if (!isRecord(choice) || typeof choice.name !== "string") return choice;
  const isFlat = choice.type === "function" || choice.type === "custom";
  return isFlat ? { type: "function", function: { name: choice.name } } : choice;
}

function ofChat(body: ChatRequest): CanonicalRequest {
  const ignored: readonly string[] = [];
  const flat = listOf(body.tools).flatMap((tool) => flatTool(tool) ?? []);
  if (flat.length === 0) return { body, ignored };
  const customs = new Set(flat.flatMap(({ type, name }) => (type === "custom" ? [name] : [])));
  const tools = listOf(body.tools).map((tool) => {
    const read = flatTool(tool);
    return read === null ? tool : functionOf(read, read.name);
  });
  const messages = body.messages.map((message) =>
    Array.isArray(message.tool_calls)
      ? { ...message, tool_calls: message.tool_calls.map((call) => withInput(call, customs)) }
      : message,
  );
  const chosen =
    body.tool_choice === undefined ? {} : { tool_choice: flatChoice(body.tool_choice) };
  return { body: { ...body, tools, messages, ...chosen }, ignored, customs };
}

/** Throws `unsupported_value` for what only the Responses API has. */
export const readChat = (body: ChatRequest | ResponsesRequest): CanonicalRequest =>
  isInResponsesForm(body) ? ofResponses(body) : ofChat(body);

const nameOf = ({ function: called }: JsonObject): unknown =>
  isRecord(called) ? called.name : undefined;
const isCustom = (call: unknown, customs: Customs): call is JsonObject => {
  const name = isRecord(call) ? nameOf(call) : undefined;
  return typeof name === "string" && customs.has(name);
};

function withText(call: JsonObject, text: string): JsonObject {
  const called = isRecord(call.function) ? call.function : {};
  return { ...call, function: { ...called, arguments: text } };
}

const argumentsOf = ({ function: called }: JsonObject): string =>
  isRecord(called) && typeof called.arguments === "string" ? called.arguments : "";

/** Changes the calls of a whole answer. */
export function tellInputs(answer: JsonObject, customs: Customs): void {
  for (const choice of listOf(answer.choices)) {
    const message = isRecord(choice) && isRecord(choice.message) ? choice.message : null;
    if (message === null || !Array.isArray(message.tool_calls)) continue;
    message.tool_calls = message.tool_calls.map((call: unknown) =>
      isCustom(call, customs) ? withText(call, customInput(argumentsOf(call))) : call,
    );
  }
}

/**
 * The same in a stream of canonical chunks, which tell one call after the other: the input is known once the
 * arguments around it are complete.
 */
export class ToldInputs {
  #open: { readonly index: unknown; text: string } | null = null;

  constructor(readonly customs: Customs) {}

  /** The pieces of calls to be told in place of those of a delta. */
  take(pieces: readonly unknown[]): unknown[] {
    return pieces.flatMap((piece) => {
      if (!isRecord(piece)) return [piece];
      if (this.#open !== null && piece.index === this.#open.index) {
        this.#open.text += argumentsOf(piece);
        return [];
      }
      const before = this.end();
      if (!isCustom(piece, this.customs)) return [...before, piece];
      this.#open = { index: piece.index, text: argumentsOf(piece) };
      return [...before, withText(piece, "")];
    });
  }

  /** What is left of the open call, at its end. */
  end(): JsonObject[] {
    if (this.#open === null) return [];
    const { index, text } = this.#open;
    this.#open = null;
    return [{ index, function: { arguments: customInput(text) } }];
  }
}
