import { useRef } from "react";
import { keepMedia, type MediaKind, type MediaSession } from "@/lib/client/media-sessions";
import type { MediaOrder } from "@/lib/contract/studio-sessions";
import { useSessionKeeper } from "./use-session-keeper";

/** The series of orders of this page, kept on the server with each of them. */
export function useMediaSession(kind: MediaKind) {
  const keeper = useSessionKeeper();
  const orders = useRef<readonly MediaOrder[]>([]);
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
    /** Continues a kept series, or begins a new one. */
    begin(session?: MediaSession): void {
      keeper.begin(session?.place);
      orders.current = session?.orders ?? [];
    },
  };
}
