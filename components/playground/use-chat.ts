import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { meQuery } from "@/lib/client/account";
import { RequestError } from "@/lib/client/call";
import { chatRequestOf } from "@/lib/client/chat-request";
import { type ChatFacts, streamChat } from "@/lib/client/chat-stream";
import {
  type ChatSettings,
  type Conversation,
  keepConversation,
  type Order,
  readConversation,
  type Turn,
} from "@/lib/client/kept-conversation";
import { randomText } from "@/lib/client/random-text";

const KEEP_MS = 400;

/** Stores the conversation soon after each change, and at the latest when the page is left. */
function useKept(userId: string, conversation: Conversation, isRead: boolean): void {
  const latest = useRef(conversation);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = conversation;
    if (!isRead) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      keepConversation(sessionStorage, userId, latest.current);
    }, KEEP_MS);
  });
  useEffect(() => {
    if (!isRead) return;
    const keepNow = () => {
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      keepConversation(sessionStorage, userId, latest.current);
    };
    window.addEventListener("pagehide", keepNow);
    return () => {
      window.removeEventListener("pagehide", keepNow);
      keepNow();
    };
  }, [isRead, userId]);
}

const newOrder = (settings: ChatSettings): Order => ({ key: randomText(), settings });

/** The conversation was stored without its images, so it cannot be asked again. */
const isOtherBody = (error: unknown) =>
  error instanceof RequestError && error.code === "idempotency_key_reused";

/** What is known of an answer that was charged and is not stored: the way to its costs. */
function chargedFacts(error: unknown): ChatFacts | null {
  if (!(error instanceof RequestError) || error.code !== "idempotency_finished") return null;
  const { request_id: requestId } = error.facts;
  const unknown = { inputTokens: null, outputTokens: null, points: null, finishReason: null };
  return typeof requestId === "string"
    ? { ...unknown, requestId, firstMs: null, totalMs: 0, isLate: true }
    : null;
}

/** An answer that could not be read to its end. */
function endedBy(turn: Turn, error: unknown, isStopped: boolean): Turn {
  if (isStopped || isOtherBody(error)) return { ...turn, isStopped: true };
  const facts = chargedFacts(error);
  return { ...turn, error, ...(facts && { facts }) };
}

/** The turns up to a user's turn, with a new text if given. */
const upTo = (turns: readonly Turn[], id: number, text: string | undefined) =>
  turns
    .slice(0, turns.findIndex((turn) => turn.id === id) + 1)
    .map((turn) => (turn.id === id && text !== undefined ? { ...turn, text } : turn));

/** The user's conversation in this browser tab. One answer at a time. */
export function useChat(userId: string, settingsAtFirst: () => ChatSettings) {
  const client = useQueryClient();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  const [settings, setSettings] = useState(settingsAtFirst);
  const [isRead, setIsRead] = useState(false);
  const control = useRef<AbortController | null>(null);
  const nextId = useRef(1);
  const readAgain = useRef(answer);
  useEffect(() => () => control.current?.abort(), []);
  useEffect(() => {
    const kept = readConversation(sessionStorage, userId);
    if (kept) {
      setTurns(kept.turns);
      setSettings(kept.settings);
      nextId.current = Math.max(0, ...kept.turns.map(({ id }) => id)) + 1;
    }
    setIsRead(true);
    const last = kept?.turns.at(-1);
    if (kept?.isRunning && last?.order) void readAgain.current(kept.turns.slice(0, -1), last.order);
  }, [userId]);
  useKept(userId, { turns, settings, isRunning }, isRead);

  /** `order`: that of an earlier request, whose answer is read. */
  async function answer(asked: readonly Turn[], order: Order = newOrder(settings)): Promise<void> {
    const id = nextId.current++;
    const sent = chatRequestOf(order.settings, asked);
    const own = new AbortController();
    control.current = own;
    setIsRunning(true);
    setTurns([...asked, { id, role: "assistant", text: "", order }]);
    const change = (next: (turn: Turn) => Turn) =>
      setTurns((all) => all.map((turn) => (turn.id === id ? next(turn) : turn)));
    try {
      await streamChat(sent, order.key, own.signal, (text, facts) =>
        change((turn) => ({ ...turn, text: turn.text + text, facts })),
      );
    } catch (error) {
      change((turn) => endedBy(turn, error, own.signal.aborted));
    }
    if (control.current === own) setIsRunning(false);
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
  }

  return {
    turns,
    isRunning,
    stop: () => control.current?.abort(),
    settings,
    setSettings,
    send: (text: string, images: readonly string[]) =>
      answer([
        ...turns,
        { id: nextId.current++, role: "user", text, ...(images.length > 0 ? { images } : {}) },
      ]),
    /** Sends a user's turn again, with a new text if given. Later turns are removed. */
    resend: (id: number, text?: string) => answer(upTo(turns, id, text)),
    /** Reads the answer of the last turn, which was stopped or cut off. It is not charged again. */
    readLast() {
      const order = turns.at(-1)?.order;
      if (order !== undefined) void answer(turns.slice(0, -1), order);
    },
    clear() {
      control.current?.abort();
      control.current = null;
      setIsRunning(false);
      setTurns([]);
    },
  };
}
