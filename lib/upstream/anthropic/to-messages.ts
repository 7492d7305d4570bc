/** A chat request as a request of the Messages API. */
import { offeredChatFields, ownChatFields, passingChatFields } from "../../contract/chat-fields";
import { thinkingBudget } from "../../contract/messages-thinking";
import type { JsonObject } from "../provider";
import { asObject } from "../transport/upstream-json";
import { conversationOf } from "./conversation";
import { toolMembers } from "./tools";

const TEMPERATURE_MAX = 1;

/** Newer models accept `temperature` or `top_p`, not both: `temperature` goes first. */
function sampling({ temperature, top_p }: JsonObject): JsonObject {
  if (typeof temperature === "number")
    return { temperature: Math.min(temperature, TEMPERATURE_MAX) };
  return typeof top_p === "number" ? { top_p } : {};
}

const isChatField = (name: string) =>
  Object.hasOwn(passingChatFields, name) || ownChatFields.has(name) || offeredChatFields.has(name);

/** Fields that are not chat fields, which the channel's `allowedFields` let through. They are sent unchanged. */
const allowedOf = (chat: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(chat).filter(([name]) => !isChatField(name)));

function stopsOf({ stop }: JsonObject): JsonObject {
  const given: unknown[] = Array.isArray(stop) ? stop : [stop];
  const stops = given.filter((one) => typeof one === "string" && one.trim() !== "");
  return stops.length === 0 ? {} : { stop_sequences: stops };
}

function formatOf({ response_format: format }: JsonObject): JsonObject {
  const schema = asObject(asObject(asObject(format)?.json_schema)?.schema);
  return schema === null ? {} : { output_config: { format: { type: "json_schema", schema } } };
}

/** `chat` is the request as the relay writes it, with one output cap. */
export function toMessages(chat: JsonObject): JsonObject {
  const { system, messages } = conversationOf(chat.messages);
  const cap = Number(chat.max_tokens ?? chat.max_completion_tokens);
  const budget = thinkingBudget(chat, cap);
  return {
    ...allowedOf(chat),
    model: chat.model,
    max_tokens: cap,
    ...(chat.stream === true ? { stream: true } : {}),
    ...(system.length > 0 ? { system } : {}),
    messages,
    ...toolMembers(chat),
    // A model that thinks draws its tokens in its own way.
    ...(budget === null
      ? sampling(chat)
      : { thinking: { type: "enabled", budget_tokens: budget } }),
    ...stopsOf(chat),
    ...formatOf(chat),
    ...(typeof chat.user === "string" ? { metadata: { user_id: chat.user } } : {}),
  };
}
