import { useEffect, useState } from "react";
import { useMe } from "@/lib/client/account";
import type { SessionPlace } from "@/lib/client/kept-conversation";
import { newPlace } from "@/lib/client/studio-sessions";

/** The longest that what is asked waits for being kept. */
const WAIT_MS = 3000;

/** Keeps a page's session on the server, one change after the other. */
class SessionKeeper {
  /** Another object for each session. */
  #kept = { place: newPlace() };
  #turn: Promise<void> = Promise.resolve();
  isOn = true;

  place = () => this.#kept.place;

  /** Continues a session, or begins a new one. */
  begin(place?: SessionPlace): void {
    this.#kept = { place: place ?? newPlace() };
  }

  /** `write` returns the place that it wrote. Never rejects: the page works without being kept. */
  keep(write: (place: SessionPlace) => Promise<SessionPlace>): Promise<void> {
    if (!this.isOn) return Promise.resolve();
    const kept = this.#kept;
    this.#turn = this.#turn
      .then(async () => {
        kept.place = await write(kept.place);
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
