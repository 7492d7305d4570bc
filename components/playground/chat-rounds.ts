/** Rounds of a conversation: a question, and its answer or those of several models. */
import { RequestError } from "@/lib/client/call";
import { type ChatFacts, factsOfRequest } from "@/lib/client/chat-stream";
import type { ChatSettings, Order, Turn } from "@/lib/client/kept-conversation";
import { randomText } from "@/lib/client/random-text";

/** An order for each model that answers: the chosen one, and those beside it. */
export const ordersOf = (settings: ChatSettings): Order[] =>
  [settings.model, ...(settings.others ?? [])].map((model) => ({
    key: randomText(),
    settings: { ...settings, model },
  }));

/** The turns up to the last question, and the orders of its answers that were sent. */
export function lastRound(turns: readonly Turn[]): { asked: readonly Turn[]; orders: Order[] } {
  const end = turns.findLastIndex(({ role }) => role === "user") + 1;
  return {
    asked: turns.slice(0, end),
    orders: turns.slice(end).flatMap(({ order, isUnasked }) => (isUnasked ? [] : (order ?? []))),
  };
}

/** Continues the conversation with the chosen one of several answers. */
export function chosenAmong(turns: readonly Turn[], id: number): Turn[] {
  const at = turns.findIndex((turn) => turn.id === id);
  const from = turns.slice(0, at).findLastIndex(({ role }) => role === "user");
  const next = turns.findIndex(({ role }, index) => index > at && role === "user");
  return turns.map((turn, index) =>
    index > from && (next === -1 || index < next) ? { ...turn, isRival: turn.id !== id } : turn,
  );
}

/** The conversation was stored without its images, so it cannot be asked again. */
const isOtherBody = (error: unknown) =>
  error instanceof RequestError && error.code === "idempotency_key_reused";

/** What is known of an answer that was charged and is not stored: the way to its costs. */
function chargedFacts(error: unknown): ChatFacts | null {
  if (!(error instanceof RequestError) || error.code !== "idempotency_finished") return null;
  const { request_id: requestId } = error.facts;
  return typeof requestId === "string" ? factsOfRequest(requestId) : null;
}

/** An answer that could not be read to its end. */
export function endedBy(turn: Turn, error: unknown, isStopped: boolean): Turn {
  if (isStopped || isOtherBody(error)) return { ...turn, isStopped: true };
  const facts = chargedFacts(error);
  return { ...turn, error, ...(facts && { facts }) };
}

/** The turns up to a user's turn, with a new text if given. */
export const upTo = (turns: readonly Turn[], id: number, text: string | undefined) =>
  turns
    .slice(0, turns.findIndex((turn) => turn.id === id) + 1)
    .map((turn) => (turn.id === id && text !== undefined ? { ...turn, text } : turn));

/**
 * One turn for each expected answer, with what stops it, as `all` does; the first is the one that the
 * conversation continues with.
 */
export const newAnswers = (orders: readonly Order[], all: AbortSignal, nextId: () => number) =>
  orders.map((order, at) => {
    const turn: Turn = { id: nextId(), role: "assistant", text: "", order };
    const one = new AbortController();
    all.addEventListener("abort", () => one.abort());
    return { order, one, turn: at > 0 ? { ...turn, isRival: true } : turn };
  });
