import { type ChatRequest, MESSAGES_MAX } from "../../contract/chat";
import { passedResponsesFields } from "../../contract/passed-text-fields";
import { type ResponsesRequest, responsesRequest } from "../../contract/responses";
import { invalidValue } from "../../failures/relay-error";
import { LeftOut } from "../left-out";
import type { CanonicalRequest, JsonObject } from "../text-dialect";
import { chatMessages } from "./chat-messages";
import { isCompaction, SUMMARY_ORDER, toCompact } from "./compaction";
import { chatTools } from "./tools";

/** Fields that only an upstream of this API may get. */
const nativeFields = [...Object.keys(passedResponsesFields), "max_tool_calls"];
const hasEffect = (name: string, value: unknown) =>
  value !== undefined && value !== null && !(name === "truncation" && value === "disabled");

const LOGPROBS = "message.output_text.logprobs";

/** Whether the client asked for the probabilities of the answer's tokens. */
export const wantsLogprobs = ({ include, top_logprobs: top }: ResponsesRequest): boolean =>
  include?.includes(LOGPROBS) === true || (typeof top === "number" && top > 0);

/** Undefined for plain text, which is what every upstream answers with. */
function responseFormat(request: ResponsesRequest): JsonObject | undefined {
  const format = request.text?.format;
  if (!format || format.type === "text" || isCompaction(request)) return undefined;
  if (format.type === "json_object") return { type: "json_object" };
  const { name, description, schema, strict } = format;
  return {
    type: "json_schema",
    json_schema: given({ name, description, schema, strict }),
  };
}

/** The members that have a value. */
const given = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );

/** The fields whose meaning is the same under the chat's name. */
function sameFields(request: ResponsesRequest): JsonObject {
  const { text, reasoning, top_logprobs: top } = request;
  return given({
    models: request.models,
    // Most upstreams know the cap by this name only.
    max_tokens: request.max_output_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    response_format: responseFormat(request),
    verbosity: text?.verbosity,
    reasoning_effort: reasoning?.effort,
    logprobs: wantsLogprobs(request) ? true : undefined,
    top_logprobs: top ? top : undefined,
    user: request.user,
    safety_identifier: request.safety_identifier,
    prompt_cache_key: request.prompt_cache_key,
    prompt_cache_retention: request.prompt_cache_retention,
    prompt_cache_options: request.prompt_cache_options,
    moderation: request.moderation,
    service_tier: request.service_tier,
  });
}

const fieldNames = {
  messages: "input",
  max_tokens: "max_output_tokens",
  response_format: "text.format",
  verbosity: "text.verbosity",
  reasoning_effort: "reasoning.effort",
  "messages.reasoning_content": "input.reasoning",
  "messages.content.file": "input.content.input_file",
};

function assertMessages({ length }: ChatRequest["messages"]): void {
  if (length > 0 && length <= MESSAGES_MAX) return;
  throw invalidValue(
    "input",
    length === 0
      ? "`input` has no message; send at least one."
      : `\`input\` has ${length} messages, with those of earlier responses: at most ${MESSAGES_MAX} are allowed.`,
  );
}

/**
 * The canonical request. References to stored items must have been replaced before. Throws
 * `invalid_value` and `previous_response_not_found`.
 */
export function toChat(request: ResponsesRequest): CanonicalRequest {
  const { tools, toolChoice, ignored } = chatTools(request);
  const leftOut = new LeftOut();
  const foreign = new LeftOut();
  const isSummary = isCompaction(request);
  const input = isSummary ? toCompact(request) : request.input;
  const messages = chatMessages(request.instructions, input, leftOut, foreign);
  if (isSummary) messages.push({ role: "user", content: SUMMARY_ORDER });
  assertMessages(messages);
  const unknown = Object.keys(request).filter(
    (name) => !Object.hasOwn(responsesRequest.shape, name),
  );
  const body: ChatRequest = { ...sameFields(request), model: request.model, messages };
  if (tools.length > 0) {
    body.tools = tools;
    // Some upstreams take no earlier calls of tools without the tools.
    if (isSummary) body.tool_choice = "none";
    else if (toolChoice !== undefined) body.tool_choice = toolChoice;
    if (typeof request.parallel_tool_calls === "boolean")
      body.parallel_tool_calls = request.parallel_tool_calls;
  }
  if (request.stream === true) {
    body.stream = true;
    body.stream_options = { include_usage: true };
  }
  const logprobs = request.include?.includes(LOGPROBS) ? "include" : "top_logprobs";
  const dropped = nativeFields.filter((name) => hasEffect(name, request[name]));
  return {
    body,
    ignored: [...unknown, ...leftOut.names],
    ignoredInChat: [...ignored, ...dropped, ...foreign.names],
    fieldNames: { ...fieldNames, logprobs },
  };
}
