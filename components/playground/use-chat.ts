import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { meQuery } from "@/lib/client/account";
import { type ChatFacts, type ChatSent, streamChat } from "@/lib/client/chat-stream";

export interface Turn {
  id: number;
  role: "user" | "assistant";
  text: string;
  facts?: ChatFacts;
  error?: unknown;
  isStopped?: boolean;
}

export type ChatSettings = Omit<ChatSent, "messages"> & { system: string };

function requestOf({ system, ...settings }: ChatSettings, turns: readonly Turn[]): ChatSent {
  const messages = turns.filter(({ text }) => text !== "").map(({ role, text }) => ({ role, content: text }));
  return { ...settings, messages: system.trim() === "" ? messages : [{ role: "system", content: system }, ...messages] };
}

/** A conversation in this page's memory; one answer at a time. */
export function useChat() {
  const client = useQueryClient();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  const [lastSent, setLastSent] = useState<ChatSent | null>(null);
  const control = useRef<AbortController | null>(null);
  const nextId = useRef(1);
  useEffect(() => () => control.current?.abort(), []);

  async function answer(asked: readonly Turn[], settings: ChatSettings): Promise<void> {
    const id = nextId.current++;
    const sent = requestOf(settings, asked);
    const own = new AbortController();
    control.current = own;
    setLastSent(sent);
    setIsRunning(true);
    setTurns([...asked, { id, role: "assistant", text: "" }]);
    const change = (next: (turn: Turn) => Turn) => setTurns((all) => all.map((turn) => (turn.id === id ? next(turn) : turn)));
    try {
      await streamChat(sent, own.signal, (text, facts) => change((turn) => ({ ...turn, text: turn.text + text, facts })));
    } catch (error) {
      change((turn) => (own.signal.aborted ? { ...turn, isStopped: true } : { ...turn, error }));
    }
    if (control.current === own) setIsRunning(false);
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
  }

  return {
    turns,
    isRunning,
    lastSent,
    stop: () => control.current?.abort(),
    send: (text: string, settings: ChatSettings) => answer([...turns, { id: nextId.current++, role: "user", text }], settings),
    /** Asks anew from a turn of the user's, with another text where one is given; what came after is dropped. */
    resend(id: number, settings: ChatSettings, text?: string) {
      const at = turns.findIndex((turn) => turn.id === id);
      const kept = turns.slice(0, at + 1).map((turn) => (turn.id === id && text !== undefined ? { ...turn, text } : turn));
      return answer(kept, settings);
    },
    clear() {
      control.current?.abort();
      control.current = null;
      setIsRunning(false);
      setTurns([]);
    },
  };
}
