import { useRef } from "react";
import { keepMedia, type MediaKind, type MediaSession } from "@/lib/client/media-sessions";
import type { MediaOrder } from "@/lib/contract/studio-sessions";
import { useSessionKeeper } from "./use-session-keeper";

interface Page {
  /** Shows the results of a session. */
  readonly onShow: (ids: readonly string[]) => void;
  /** Puts the settings of its last order into the form. */
  readonly onLast: (id: string) => void;
  /** Empties the form for a new one. */
  readonly onNew: () => void;
}

/** The series of orders of a page, kept on the server with each of them. */
export function useMediaSession(kind: MediaKind, { onShow, onLast, onNew }: Page) {
  const keeper = useSessionKeeper();
  const orders = useRef<readonly MediaOrder[]>([]);
  const begin = (session?: MediaSession) => {
    keeper.begin(session?.place);
    orders.current = session?.orders ?? [];
  };
  return {
    /** Those that it has are passed over. */
    add(made: readonly MediaOrder[]): void {
      const known = new Set(orders.current.map(({ id }) => id));
      const added = made.filter(({ id }) => !known.has(id));
      if (added.length === 0) return;
      const all = [...orders.current, ...added];
      orders.current = all;
      void keeper.keep((place) => keepMedia(place, kind, all));
    },
    open(session: MediaSession): void {
      begin(session);
      onShow(session.orders.map(({ id }) => id));
      const last = session.orders.at(-1);
      if (last) onLast(last.id);
    },
    startNew(): void {
      begin();
      onNew();
    },
  };
}
