import { useEffect, useState } from "react";
import { useMe } from "@/lib/client/account";
import type { Conversation, SessionPlace } from "@/lib/client/kept-conversation";
import { keepChat, newPlace } from "@/lib/client/studio-sessions";

/** The longest that a question waits for being kept. */
const WAIT_MS = 3000;

/** Keeps a page's conversation on the server, one change after the other. */
class SessionKeeper {
  /** Another object for each conversation. */
  #kept = { place: newPlace() };
  #turn: Promise<void> = Promise.resolve();
  isOn = true;

  place = () => this.#kept.place;

  /** Continues a session, or begins a new one. */
  begin(place: SessionPlace | undefined): void {
    this.#kept = { place: place ?? newPlace() };
  }

  /** Never rejects: the chat works without being kept. `isAsked`: something is asked in this page. */
  keep(conversation: Conversation, isAsked: boolean): Promise<void> {
    if (!this.isOn) return Promise.resolve();
    const kept = this.#kept;
    this.#turn = this.#turn
      .then(async () => {
        kept.place = await keepChat(kept.place, conversation, isAsked);
      })
      .catch(() => {});
    return Promise.race([this.#turn, new Promise<void>((done) => setTimeout(done, WAIT_MS))]);
  }
}

/** Off where the account keeps no sessions. */
export function useSessionKeeper(): SessionKeeper {
  const [keeper] = useState(() => new SessionKeeper());
  const isOn = useMe().data?.account.keepsSessions ?? true;
  useEffect(() => {
    keeper.isOn = isOn;
  }, [keeper, isOn]);
  return keeper;
}
