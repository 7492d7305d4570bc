import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The size of an element, known before it is first painted. */
export function useSize(): {
  box: RefObject<HTMLDivElement | null>;
  width: number;
  height: number;
} {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const read = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, ...size };
}
