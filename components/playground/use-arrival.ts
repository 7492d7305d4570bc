"use client";

import { useEffect, useRef } from "react";

/**
 * How a result came onto the stage: `sent` from this page, in the place of one that was on its way
 * (`follows`), or `chosen` from the wall.
 */
export type Arrival = "sent" | "follows" | "chosen" | null;

/** Brings an element into sight when it arrives; what was just sent takes the focus, for it is what one goes on with. */
export function useArrival(arrival: Arrival) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (arrival === null) return;
    // Nobody who writes the next prompt meanwhile is torn away.
    const isFocusLost = document.activeElement === document.body;
    if (arrival === "sent" || (arrival === "follows" && isFocusLost))
      place.current?.focus({ preventScroll: true });
    if (arrival !== "follows") place.current?.scrollIntoView({ block: "nearest" });
  }, [arrival]);
  return place;
}
