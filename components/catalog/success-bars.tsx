import { cn } from "@/components/ui/class-names";
import { failureTone } from "./failure-tone";

const BAR = 3;
const STEP = 4;
const HEIGHT = 14;
/** The part of a bar that shows failures is at least this high, so that it can be seen. */
const FAILED_HEIGHT_MIN = 2;

interface SuccessBarsProps {
  slots: readonly (number | null)[];
  className?: string;
}

/**
 * The success in each part of some days as bars, whose failed part is
 * amber, and red where it is large. The text beside it has the figure.
 */
export function SuccessBars({ slots, className }: SuccessBarsProps) {
  const width = slots.length * STEP;
  return (
    <svg
      aria-hidden
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cn("shrink-0", className)}
      shapeRendering="crispEdges"
    >
      {slots.map((success, slot) => {
        const x = slot * STEP;
        const key = `${slot}`;
        if (success === null)
          return (
            <rect key={key} x={x} y={HEIGHT - 2} width={BAR} height={2} className="fill-line" />
          );
        const tone = failureTone(success);
        const failed =
          tone === null ? 0 : Math.max(FAILED_HEIGHT_MIN, Math.round((1 - success) * HEIGHT));
        return (
          <g key={key}>
            <rect x={x} width={BAR} height={HEIGHT - failed} className="fill-line-strong" />
            <rect
              x={x}
              y={HEIGHT - failed}
              width={BAR}
              height={failed}
              className={tone === "bad" ? "fill-bad" : "fill-held"}
            />
          </g>
        );
      })}
    </svg>
  );
}
