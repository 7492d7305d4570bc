/** Each bar is a quarter of a day. */
const BAR = 3;
const STEP = 4;
const HEIGHT = 14;
/** The part of a bar that shows failures is at least this high, so that it can be seen. */
const FAILED_HEIGHT_MIN = 2;

/** The success of the last seven days as bars, whose failed part is red. The text beside it has the figure. */
export function SuccessBars({ slots }: { slots: readonly (number | null)[] }) {
  return (
    <svg
      aria-hidden
      width={slots.length * STEP}
      height={HEIGHT}
      className="shrink-0"
      shapeRendering="crispEdges"
    >
      {slots.map((success, slot) => {
        const x = slot * STEP;
        const key = `${slot}`;
        if (success === null)
          return (
            <rect key={key} x={x} y={HEIGHT - 2} width={BAR} height={2} className="fill-line" />
          );
        const failed =
          success === 1 ? 0 : Math.max(FAILED_HEIGHT_MIN, Math.round((1 - success) * HEIGHT));
        return (
          <g key={key}>
            <rect x={x} width={BAR} height={HEIGHT - failed} className="fill-line-strong" />
            <rect x={x} y={HEIGHT - failed} width={BAR} height={failed} className="fill-bad" />
          </g>
        );
      })}
    </svg>
  );
}
