/** Up to when a person has seen the notifications in this browser. */
import { useEffect, useState } from "react";
import { keepText, keptText } from "./browser-keeps";

/**
 * Whether a notification is new since the list was last opened. On the first visit none is.
 * `newest`: the time of the newest one, once it is known.
 */
export function useIsUnread(userId: string, newest: string | undefined): (at: string) => boolean {
  const name = `relay.seen.${userId}`;
  const [before] = useState(() => keptText(name));
  useEffect(() => {
    if (newest !== undefined) keepText(name, newest);
  }, [name, newest]);
  return (at) => before !== null && Date.parse(at) > Date.parse(before);
}
