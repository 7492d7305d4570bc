/** Where the columns begin, and what is between a column and its tip, in pixels. */
export const PLOT_LEFT = 46;
const GAP = 8;

/** The left edge of a tip at the right of its column; at the left, where it would leave the drawing. */
export function tipLeft(at: number, columns: number, width: number, tipWidth: number): number {
  const step = (width - PLOT_LEFT) / columns;
  const right = PLOT_LEFT + step * (at + 1) + GAP;
  if (right + tipWidth <= width) return right;
  return Math.max(0, PLOT_LEFT + step * at - GAP - tipWidth);
}
