import { useCallback, useEffect, useRef } from "react";

/** Within this distance of the end, the user counts as reading the end. */
const NEAR_PIXELS = 48;
/** The browser may round the place to which a list was scrolled. */
const ROUNDING_PIXELS = 1;

/**
 * Keeps a list scrolled to its end whenever its content changes size, until the user scrolls up.
 * `list` is the scrolling element, `content` its only child.
 */
export function useFollowEnd() {
  const list = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  /** Where the list was last put. Only the user scrolls it to above this place. */
  const put = useRef(0);
  const setAtEnd = useCallback((isNow: boolean) => {
    isAtEnd.current = isNow;
    // The browser scrolls up by itself when something above shrinks, to keep in view what is read.
    if (list.current) list.current.style.overflowAnchor = isNow ? "none" : "auto";
  }, []);
  const toEnd = useCallback(() => {
    if (!list.current) return;
    list.current.scrollTop = list.current.scrollHeight;
    put.current = list.current.scrollTop;
  }, []);
  useEffect(() => {
    setAtEnd(true);
    const observer = new ResizeObserver(() => isAtEnd.current && toEnd());
    for (const element of [list.current, content.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [setAtEnd, toEnd]);
  return {
    list,
    content,
    onScroll() {
      const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = list.current ?? {};
      // More may have arrived since the list was scrolled to its end: only a way up is the user's.
      if (scrollHeight - scrollTop - clientHeight < NEAR_PIXELS) setAtEnd(true);
      else if (scrollTop < put.current - ROUNDING_PIXELS) setAtEnd(false);
    },
    /** Scrolls to the end and follows it again. */
    follow() {
      setAtEnd(true);
      toEnd();
    },
  };
}
