import { useEffect, useRef } from "react";

/**
 * How a result came onto the stage: `sent` from this page, in the place of one that was on its way
 * (`follows`), or `chosen` from the wall.
 */
export type Arrival = "sent" | "follows" | "chosen" | null;

/** Scrolls to an element when it arrives. A result that was just sent gets the focus. */
export function useArrival(arrival: Arrival) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (arrival === null) return;
    // A user who is already writing the next prompt keeps the focus.
    const isFocusLost = document.activeElement === document.body;
    if (arrival === "sent" || (arrival === "follows" && isFocusLost))
      place.current?.focus({ preventScroll: true });
    if (arrival !== "follows") place.current?.scrollIntoView({ block: "nearest" });
  }, [arrival]);
  return place;
}
