/** How long a model of the Messages API may think about a chat request. */
import { isKeyOf, isRecord, listOf } from "../values/records";
import {
  BUDGET_TOKENS_MIN,
  HIGH_BUDGET_TOKENS,
  LOW_BUDGET_TOKENS_MAX,
  MEDIUM_BUDGET_TOKENS_MAX,
} from "./messages-words";

type Chat = Readonly<Record<string, unknown>>;

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
function goesOn({ messages }: Chat): boolean {
  const roles = listOf(messages).map((message) => (isRecord(message) ? message.role : null));
  const last = roles.findLast(
    (role) => role === "assistant" || role === "tool" || role === "function",
  );
  return last === "tool" || last === "function";
}

/** True when a tool must be called, which does not go together with thinking. */
function mustCall({ tools, functions, tool_choice, function_call }: Chat): boolean {
  if (listOf(tools).length + listOf(functions).length === 0) return false;
  const choice = tool_choice ?? function_call;
  if (!isRecord(choice)) return choice === "required";
  return !isRecord(choice.allowed_tools) || choice.allowed_tools.mode === "required";
}

/** In tokens; null for none. At most half of the cap, so that a part is left for the answer. */
export function thinkingBudget(chat: Chat, capTokens: number): number | null {
  const { reasoning_effort: effort } = chat;
  const wanted = typeof effort === "string" && isKeyOf(budgets, effort) ? budgets[effort] : 0;
  const budget = Math.min(wanted, Math.floor(capTokens / 2));
  return budget < BUDGET_TOKENS_MIN || goesOn(chat) || mustCall(chat) ? null : budget;
}
