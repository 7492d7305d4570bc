import { useEffect, useRef, useState } from "react";
import {
  type ChatSettings,
  type Conversation,
  readConversation,
} from "@/lib/client/kept-conversation";
import { keepChat, openAwaited } from "@/lib/client/studio-sessions";
import { chosenAmong, lastRound, upTo } from "./chat-rounds";
import { useKept } from "./use-kept";
import { type Keep, useRounds } from "./use-rounds";
import { useSessionKeeper } from "./use-session-keeper";

const pictures = (images: readonly string[]) => (images.length > 0 ? { images } : {});

/** The user's conversation in this browser tab. One question at a time. */
export function useChat(userId: string, settingsAtFirst: () => ChatSettings) {
  const [settings, setSettings] = useState(settingsAtFirst);
  const [isRead, setIsRead] = useState(false);
  const keeper = useSessionKeeper();
  const [session, setSession] = useState(keeper.place);
  const keep: Keep = async (conversation, isAsked) => {
    await keeper.keep((place) => keepChat(place, conversation, isAsked));
    setSession(keeper.place());
  };
  const rounds = useRounds(keep);
  const { turns, isRunning, open, answer } = rounds;
  const first = useRef({ show, isFresh: rounds.isFresh });
  useEffect(() => {
    const kept = readConversation(sessionStorage, userId);
    if (kept) first.current.show(kept);
    setIsRead(true);
    if (kept) return;
    let isOver = false;
    // What another page, or another device, left while it was answered.
    openAwaited().then(
      (found) => {
        if (found && !isOver && first.current.isFresh()) first.current.show(found);
      },
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [userId]);
  useKept(userId, { turns, settings, isRunning, session }, isRead);

  /** Continues a stored conversation, and reads the answers that it still waits for. */
  function show(kept: Conversation): void {
    keeper.begin(kept.session);
    setSession(keeper.place());
    rounds.begin(kept.turns);
    setSettings(kept.settings);
    const last = lastRound(kept.turns);
    if (kept.isRunning && last.orders.length > 0)
      void answer(last.asked, kept.settings, last.orders);
  }

  return {
    ...{ turns, isRunning, open, settings, setSettings, show },
    stop: rounds.stop,
    stopOne: rounds.stopOne,
    send: (text: string, images: readonly string[]) =>
      answer([...turns, { id: rounds.newId(), role: "user", text, ...pictures(images) }], settings),
    /** Sends a user's turn again, with a new text if given. Later turns are removed. */
    resend: (id: number, text?: string) => answer(upTo(turns, id, text), settings),
    /** Reads the last answers, which were stopped or cut off. They are not charged again. */
    readLast() {
      const { asked, orders } = lastRound(turns);
      if (orders.length > 0) void answer(asked, settings, orders);
    },
    choose: (id: number) => rounds.setTurns((all) => chosenAmong(all, id)),
    clear: () => show({ turns: [], settings, isRunning: false }),
  };
}
