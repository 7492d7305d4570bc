/** Up to when a person has seen the notifications in this browser. */
import { useEffect, useState } from "react";

const PREFIX = "relay.seen.";

function read(userId: string): string | null {
  try {
    return localStorage.getItem(PREFIX + userId);
  } catch {
    return null;
  }
}

/**
 * Whether a notification is new since the list was last opened. On the first visit none is.
 * `newest`: the time of the newest one, once it is known.
 */
export function useIsUnread(userId: string, newest: string | undefined): (at: string) => boolean {
  const [before] = useState(() => read(userId));
  useEffect(() => {
    if (newest === undefined) return;
    try {
      localStorage.setItem(PREFIX + userId, newest);
    } catch {
      // A storage that is full or forbidden keeps nothing.
    }
  }, [userId, newest]);
  return (at) => before !== null && Date.parse(at) > Date.parse(before);
}
