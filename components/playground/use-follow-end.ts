"use client";

import { useCallback, useEffect, useRef } from "react";

/** Within this distance of the end, the user counts as reading the end. */
const NEAR_PIXELS = 48;

/**
 * Keeps a list scrolled to its end whenever its content changes size, until the user scrolls up.
 * `list` is the scrolling element, `content` its only child.
 */
export function useFollowEnd() {
  const list = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
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
      // More may have arrived since the list was scrolled to its end: only a way up is the user's.
      if (scrollHeight - scrollTop - clientHeight < NEAR_PIXELS) isAtEnd.current = true;
      else if (scrollTop < lastTop.current) isAtEnd.current = false;
      lastTop.current = scrollTop;
    },
    /** Scrolls to the end and follows it again. */
    follow() {
      isAtEnd.current = true;
      toEnd();
    },
  };
}
