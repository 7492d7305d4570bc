"use client";

import { useCallback, useEffect, useRef } from "react";

/** How near the end counts as reading the end. */
const NEAR_PIXELS = 48;

/**
 * Keeps a list at its end while it grows, whatever makes it grow, until the reader scrolls away from there.
 * `list` scrolls, `content` is all that is in it.
 */
export function useFollowEnd() {
  const list = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const toEnd = useCallback(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, []);
  useEffect(() => {
    const observer = new ResizeObserver(() => isAtEnd.current && toEnd());
    for (const element of [list.current, content.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [toEnd]);
  return {
    list,
    content,
    onScroll() {
      const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = list.current ?? {};
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
    },
    /** From here on the end is followed again. */
    follow() {
      isAtEnd.current = true;
      toEnd();
    },
  };
}
