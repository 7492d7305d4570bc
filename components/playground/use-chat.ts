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

/** An order for each model that answers: the chosen one, and those beside it. */
const ordersOf = (settings: ChatSettings): Order[] =>
  [settings.model, ...(settings.others ?? [])].map((model) => ({
    key: randomText(),
    settings: { ...settings, model },
  }));

/** The turns up to the last question, and the orders of its answers. */
function lastRound(turns: readonly Turn[]): { asked: readonly Turn[]; orders: Order[] } {
  const end = turns.findLastIndex(({ role }) => role === "user") + 1;
  return {
    asked: turns.slice(0, end),
    orders: turns.slice(end).flatMap(({ order }) => order ?? []),
  };
}

/** Continues the conversation with the chosen one of several answers. */
function chosenAmong(turns: readonly Turn[], id: number): Turn[] {
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

type Change = (next: (turn: Turn) => Turn) => void;

/** Reads one answer into its turn; never rejects. */
async function readAnswer(
  order: Order,
  asked: readonly Turn[],
  { signal }: AbortController,
  change: Change,
): Promise<void> {
  const sent = chatRequestOf(order.settings, asked);
  try {
    await streamChat(sent, order.key, signal, (text, facts) =>
      change((turn) => ({ ...turn, text: turn.text + text, facts })),
    );
  } catch (error) {
    change((turn) => endedBy(turn, error, signal.aborted));
  }
}

/** One turn for each expected answer; the first is the one that the conversation continues with. */
const newAnswers = (orders: readonly Order[], nextId: () => number) =>
  orders.map((order, at) => {
    const turn: Turn = { id: nextId(), role: "assistant", text: "", order };
    return { order, turn: at > 0 ? { ...turn, isRival: true } : turn };
  });

const pictures = (images: readonly string[]) => (images.length > 0 ? { images } : {});

/** The user's conversation in this browser tab. One question at a time. */
export function useChat(userId: string, settingsAtFirst: () => ChatSettings) {
  const client = useQueryClient();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  const [open, setOpen] = useState<readonly number[]>([]);
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
    const last = lastRound(kept?.turns ?? []);
    if (kept?.isRunning && last.orders.length > 0) void readAgain.current(last.asked, last.orders);
  }, [userId]);
  useKept(userId, { turns, settings, isRunning }, isRead);

  /** `orders`: those of earlier requests, whose answers are read; absent for new ones. */
  async function answer(asked: readonly Turn[], orders = ordersOf(settings)): Promise<void> {
    const own = new AbortController();
    control.current = own;
    const answers = newAnswers(orders, () => nextId.current++);
    setIsRunning(true);
    setOpen(answers.map(({ turn }) => turn.id));
    setTurns([...asked, ...answers.map(({ turn }) => turn)]);
    const readOne = async ({ order, turn: { id } }: (typeof answers)[number]) => {
      await readAnswer(order, asked, own, (next) =>
        setTurns((all) => all.map((turn) => (turn.id === id ? next(turn) : turn))),
      );
      setOpen((all) => all.filter((each) => each !== id));
    };
    await Promise.all(answers.map(readOne));
    if (control.current === own) setIsRunning(false);
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
  }

  return {
    turns,
    isRunning,
    /** The turns whose answers are still being read. */
    open,
    stop: () => control.current?.abort(),
    settings,
    setSettings,
    send: (text: string, images: readonly string[]) =>
      answer([...turns, { id: nextId.current++, role: "user", text, ...pictures(images) }]),
    /** Sends a user's turn again, with a new text if given. Later turns are removed. */
    resend: (id: number, text?: string) => answer(upTo(turns, id, text)),
    /** Reads the last answers, which were stopped or cut off. They are not charged again. */
    readLast() {
      const { asked, orders } = lastRound(turns);
      if (orders.length > 0) void answer(asked, orders);
    },
    choose: (id: number) => setTurns((all) => chosenAmong(all, id)),
    clear() {
      control.current?.abort();
      control.current = null;
      setIsRunning(false);
      setTurns([]);
    },
  };
}
