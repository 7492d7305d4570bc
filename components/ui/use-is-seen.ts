import { type RefObject, useEffect, useState } from "react";

/** Whether an element has come near the visible part of its page; from then on true. */
export function useIsSeen(element: RefObject<Element | null>, isSeenAtFirst = false): boolean {
  const [isSeen, setIsSeen] = useState(isSeenAtFirst);
  useEffect(() => {
    if (isSeen || !element.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setIsSeen(true),
      { rootMargin: "200px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen, element]);
  return isSeen;
}
