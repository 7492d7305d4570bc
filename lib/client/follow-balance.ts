import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/**
 * A changed balance means that points were charged or added, so keys, entries, usage and tasks are
 * refetched.
 */
export function useFollowBalance(balance: { available: string; held: string } | undefined): void {
  const client = useQueryClient();
  const state = balance && `${balance.available} ${balance.held}`;
  const last = useRef(state);
  useEffect(() => {
    if (last.current !== undefined && state !== last.current) {
      for (const name of ["entries", "keys", "usage", "tasks"])
        void client.invalidateQueries({ queryKey: [name] });
    }
    last.current = state;
  }, [client, state]);
}
