import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { meQuery } from "@/lib/client/account";
import { chatRequestOf } from "@/lib/client/chat-request";
import { streamChat } from "@/lib/client/chat-stream";
import type { ChatSettings, Conversation, Order, Turn } from "@/lib/client/kept-conversation";
import { endedBy, newAnswers, ordersOf } from "./chat-rounds";

type Change = (next: (turn: Turn) => Turn) => void;

/** Asks for one answer and reads it into its turn, unless it was stopped before; never rejects. */
async function readAnswer(
  order: Order,
  asked: readonly Turn[],
  signal: AbortSignal,
  change: Change,
): Promise<void> {
  if (signal.aborted) return change((turn) => ({ ...turn, isStopped: true, isUnasked: true }));
  const sent = chatRequestOf(order.settings, asked);
  try {
    await streamChat(sent, order.key, signal, (text, facts) =>
      change((turn) => ({ ...turn, text: turn.text + text, facts })),
    );
  } catch (error) {
    change((turn) => endedBy(turn, error, signal.aborted));
  }
}

/** Keeps a conversation on the server; `isAsked`: something is asked in this page. */
export type Keep = (conversation: Conversation, isAsked: boolean) => Promise<void>;

/** The turns of a conversation, and the answers that are read into them. */
export function useRounds(keep: Keep) {
  const client = useQueryClient();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  const [open, setOpen] = useState<readonly number[]>([]);
  const control = useRef<AbortController | null>(null);
  /** Of each answer that is read, by its turn. */
  const controls = useRef(new Map<number, AbortController>());
  const nextId = useRef(1);
  const leave = () => {
    control.current?.abort();
    control.current = null;
  };
  const leaveLast = useRef(leave);
  useEffect(() => leaveLast.current, []);

  /** `orders`: those of earlier requests, whose answers are read; absent for new ones. */
  async function answer(
    asked: readonly Turn[],
    settings: ChatSettings,
    earlier?: Order[],
  ): Promise<void> {
    const own = new AbortController();
    control.current = own;
    const orders = earlier ?? ordersOf(settings);
    const answers = newAnswers(orders, own.signal, () => nextId.current++);
    // From here on each answer can be stopped, even while the server stores the question.
    for (const { one, turn } of answers) controls.current.set(turn.id, one);
    const isShown = () => control.current === own;
    let round = [...asked, ...answers.map(({ turn }) => turn)];
    setIsRunning(true);
    setOpen(answers.map(({ turn }) => turn.id));
    setTurns(round);
    // The server knows what is awaited before it is asked, so that closing the page loses nothing.
    if (!earlier) await keep({ turns: round, settings, isRunning: true }, true);
    const readOne = async ({ order, one, turn: { id } }: (typeof answers)[number]) => {
      await readAnswer(order, asked, one.signal, (next) => {
        const changed = (all: readonly Turn[]) =>
          all.map((turn) => (turn.id === id ? next(turn) : turn));
        round = changed(round);
        if (isShown()) setTurns(changed);
      });
      controls.current.delete(id);
      if (isShown()) setOpen((all) => all.filter((each) => each !== id));
    };
    await Promise.all(answers.map(readOne));
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
    if (!isShown()) return;
    setIsRunning(false);
    void keep({ turns: round, settings, isRunning: false }, false);
  }

  /** Shows other turns. Nothing is read into them. */
  function begin(shown: readonly Turn[]): void {
    leave();
    setIsRunning(false);
    setTurns(shown);
    nextId.current = Math.max(0, ...shown.map(({ id }) => id)) + 1;
  }

  return {
    ...{ turns, setTurns, isRunning, open, answer, begin },
    newId: () => nextId.current++,
    stop: () => control.current?.abort(),
    stopOne: (id: number) => controls.current.get(id)?.abort(),
    /** Whether nothing was asked yet. */
    isFresh: () => control.current === null,
  };
}
