import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { meQuery } from "@/lib/client/account";
import { chatRequestOf } from "@/lib/client/chat-request";
import { streamChat } from "@/lib/client/chat-stream";
import {
  type ChatSettings,
  type Conversation,
  type Order,
  readConversation,
  type Turn,
} from "@/lib/client/kept-conversation";
import { openAwaited } from "@/lib/client/studio-sessions";
import { chosenAmong, endedBy, lastRound, newAnswers, ordersOf, upTo } from "./chat-rounds";
import { useKept } from "./use-kept";
import { useSessionKeeper } from "./use-session-keeper";

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
  const keeper = useSessionKeeper();
  const [session, setSession] = useState(keeper.place);
  const keep = async (conversation: Conversation, isAsked: boolean) => {
    await keep(conversation, isAsked);
    setSession(keeper.place());
  };
  const showLatest = useRef(show);
  useEffect(
    () => () => {
      control.current?.abort();
      control.current = null;
    },
    [],
  );
  useEffect(() => {
    const kept = readConversation(sessionStorage, userId);
    if (kept) showLatest.current(kept);
    setIsRead(true);
    if (kept) return;
    let isOver = false;
    // What another page, or another device, left while it was answered.
    openAwaited().then(
      (found) => {
        if (found && !isOver && control.current === null) showLatest.current(found);
      },
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [userId]);
  useKept(userId, { turns, settings, isRunning, session }, isRead);

  /** Goes on with a kept conversation, and reads what it still waits for. */
  function show(kept: Conversation): void {
    control.current?.abort();
    control.current = null;
    setIsRunning(false);
    keeper.begin(kept.session);
    setSession(keeper.place());
    setTurns(kept.turns);
    setSettings(kept.settings);
    nextId.current = Math.max(0, ...kept.turns.map(({ id }) => id)) + 1;
    const last = lastRound(kept.turns);
    if (kept.isRunning && last.orders.length > 0)
      void answer(last.asked, kept.settings, last.orders);
  }

  /** `orders`: those of earlier requests, whose answers are read; absent for new ones. */
  async function answer(
    asked: readonly Turn[],
    by: ChatSettings,
    earlier?: Order[],
  ): Promise<void> {
    const orders = earlier ?? ordersOf(by);
    const own = new AbortController();
    control.current = own;
    const answers = newAnswers(orders, () => nextId.current++);
    let round = [...asked, ...answers.map(({ turn }) => turn)];
    setIsRunning(true);
    setOpen(answers.map(({ turn }) => turn.id));
    setTurns(round);
    // The server knows what is awaited before it is asked, so that closing the page loses nothing.
    if (!earlier) await keeper.keep({ turns: round, settings: by, isRunning: true }, true);
    const readOne = async ({ order, turn: { id } }: (typeof answers)[number]) => {
      await readAnswer(order, asked, own, (next) => {
        const changed = (all: readonly Turn[]) =>
          all.map((turn) => (turn.id === id ? next(turn) : turn));
        round = changed(round);
        setTurns(changed);
      });
      setOpen((all) => all.filter((each) => each !== id));
    };
    await Promise.all(answers.map(readOne));
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
    if (control.current !== own) return;
    setIsRunning(false);
    void keep({ turns: round, settings: by, isRunning: false }, false);
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
      answer(
        [...turns, { id: nextId.current++, role: "user", text, ...pictures(images) }],
        settings,
      ),
    /** Sends a user's turn again, with a new text if given. Later turns are removed. */
    resend: (id: number, text?: string) => answer(upTo(turns, id, text), settings),
    /** Reads the last answers, which were stopped or cut off. They are not charged again. */
    readLast() {
      const { asked, orders } = lastRound(turns);
      if (orders.length > 0) void answer(asked, settings, orders);
    },
    choose: (id: number) => setTurns((all) => chosenAmong(all, id)),
    show,
    clear: () => show({ turns: [], settings, isRunning: false }),
  };
}
