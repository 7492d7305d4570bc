import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { type Brush, brushOf } from "./chart-parts";

export interface Brushing {
  brush: Brush | null;
  setBrush: (brush: Brush | null) => void;
  zoom: (brush: Brush) => void;
}

/**
 * Marks columns: with the mouse from one to another, or by keys with Shift; then it zooms into them, at
 * the end of the drag or with Enter. Escape gives up. Touches scroll the page instead.
 */
export function useBrush(brushing: Brushing | undefined) {
  /** The column at which it began. */
  const from = useRef<number | null>(null);
  const reached = useRef<((at: number) => void) | null>(null);
  const end = () => {
    from.current = null;
    brushing?.setBrush(null);
  };
  return {
    begin(event: PointerEvent, at: number) {
      if (brushing === undefined || event.pointerType === "touch" || event.button !== 0) return;
      from.current = at;
      let last: Brush | null = null;
      reached.current = (to) => {
        last = to === at && last === null ? null : brushOf(at, to);
        brushing.setBrush(last);
      };
      const finish = () => {
        reached.current = null;
        end();
        if (last !== null && last[0] !== last[1]) brushing.zoom(last);
      };
      window.addEventListener("pointerup", finish, { once: true });
    },
    reach: (at: number) => reached.current?.(at),
    step(isMarking: boolean, at: number, to: number) {
      if (!isMarking) return end();
      from.current ??= at;
      brushing?.setBrush(brushOf(from.current, to));
    },
    press(event: KeyboardEvent) {
      const { brush } = brushing ?? {};
      if (!brush || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      event.stopPropagation();
      end();
      if (event.key === "Enter") brushing?.zoom(brush);
    },
  };
}
