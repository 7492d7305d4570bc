import { exactPoints, shortPoints } from "@/lib/client/points-display";
import { shortDecimal } from "@/lib/money/points";
import { cn } from "./class-names";

interface PointsTextProps {
  /** Decimal points such as `8412.500000`. */
  value: string;
  /**
   * `exact`: all six decimals, the less important ones lighter. `short`: two, with the exact value
   * on hover.
   */
  form?: "exact" | "short";
  /** Writes a plus sign before positive amounts. */
  isSigned?: boolean | undefined;
  className?: string | undefined;
}

/** An amount of points in tabular figures. */
export function PointsText(props: PointsTextProps) {
  const { value, form = "short", isSigned = false, className } = props;
  if (form === "short") {
    return (
      <span className={cn("num", className)} title={exactPoints(value, isSigned)}>
        {shortPoints(value, isSigned)}
      </span>
    );
  }
  const text = exactPoints(value, isSigned);
  const faintFrom = faintDigitsFrom(text);
  return (
    <span className={cn("num", className)}>
      {text.slice(0, faintFrom)}
      <span className="text-faint">{text.slice(faintFrom)}</span>
    </span>
  );
}

/** From one point on, the decimals are lighter; below, only the trailing zeros are. */
function faintDigitsFrom(text: string): number {
  const dot = text.indexOf(".");
  if (dot > 0 && /[1-9]/.test(text.slice(0, dot))) return dot;
  const digits = shortDecimal(text).length;
  return Math.max(digits, dot);
}
