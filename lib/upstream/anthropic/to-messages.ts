/** A chat request as a request of the Messages API. */
import { ownChatFields, passingChatFields } from "../../contract/chat-fields";
import {
  BUDGET_TOKENS_MIN,
  HIGH_BUDGET_TOKENS,
  LOW_BUDGET_TOKENS_MAX,
  MEDIUM_BUDGET_TOKENS_MAX,
} from "../../contract/messages-words";
import { isKeyOf } from "../../records";
import type { JsonObject } from "../provider";
import { asObject } from "../transport/upstream-json";
import { conversationOf, type Turn } from "./conversation";
import { objectsOf } from "./json-reading";
import { toolMembers } from "./tools";

const TEMPERATURE_MAX = 1;

const budgets = {
  low: LOW_BUDGET_TOKENS_MAX,
  medium: MEDIUM_BUDGET_TOKENS_MAX,
  high: HIGH_BUDGET_TOKENS,
  xhigh: HIGH_BUDGET_TOKENS,
};

/**
 * True when the model is to go on after calling a tool. It would have to see what it thought before
 * the call, signed, which a chat request cannot carry.
 */
const goesOn = (messages: readonly Turn[]) =>
  messages.at(-1)?.content.some(({ type }) => type === "tool_result") === true;

/** Null when the model is not to think: a part of the cap must be left for the answer. */
function thinkingOf(chat: JsonObject, messages: readonly Turn[], cap: number): JsonObject | null {
  const { reasoning_effort: effort } = chat;
  const wanted = typeof effort === "string" && isKeyOf(budgets, effort) ? budgets[effort] : 0;
  const budget = Math.min(wanted, Math.floor(cap / 2));
  if (budget < BUDGET_TOKENS_MIN || goesOn(messages)) return null;
  return { type: "enabled", budget_tokens: budget };
}

/** Of the two ways to draw tokens newer models take one. */
function sampling({ temperature, top_p }: JsonObject): JsonObject {
  if (typeof temperature === "number")
    return { temperature: Math.min(temperature, TEMPERATURE_MAX) };
  return typeof top_p === "number" ? { top_p } : {};
}

/** The fields that only this channel allows: they are the upstream's own, and pass as they came. */
const allowedOf = (chat: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(chat).filter(
      ([name]) => !Object.hasOwn(passingChatFields, name) && !ownChatFields.has(name),
    ),
  );

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
  const tools = toolMembers(chat);
  const forced = objectsOf([tools.tool_choice]).some(
    ({ type }) => type === "any" || type === "tool",
  );
  const thinking = forced ? null : thinkingOf(chat, messages, cap);
  return {
    ...allowedOf(chat),
    model: chat.model,
    max_tokens: cap,
    ...(chat.stream === true ? { stream: true } : {}),
    ...(system.length > 0 ? { system } : {}),
    messages,
    ...tools,
    // A model that thinks draws its tokens in its own way.
    ...(thinking === null ? sampling(chat) : { thinking }),
    ...stopsOf(chat),
    ...formatOf(chat),
    ...(typeof chat.user === "string" ? { metadata: { user_id: chat.user } } : {}),
  };
}
