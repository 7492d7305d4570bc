import { useTranslations } from "next-intl";
import { useId } from "react";
import { cn } from "@/components/ui/class-names";

/** The longer side of a shape, in the units of its picture. */
const LONG = 26;
const SHORT_MIN = 10;
/** More ratios than this take two rows. */
const ROW_MAX = 6;

/** The sides of a rectangle of the ratio `16:9`; a square for one that follows a picture. */
function sidesOf(ratio: string): [width: number, height: number] {
  const [across = 1, down = 1] = ratio === "adaptive" ? [] : ratio.split(":").map(Number);
  const scale = LONG / Math.max(across, down);
  // A square of the full length would look larger than all others.
  const size = across === down ? 0.72 : 0.92;
  return [Math.max(SHORT_MIN, across * scale * size), Math.max(SHORT_MIN, down * scale * size)];
}

interface ShapeChoiceProps<Ratio extends string> {
  label: string;
  ratios: readonly Ratio[];
  value: Ratio | null;
  onChange: (ratio: Ratio) => void;
}

/** A ratio by its shape: radio buttons, with the arrow keys of radio buttons. */
export function ShapeChoice<Ratio extends string>(props: ShapeChoiceProps<Ratio>) {
  const { label, ratios, value, onChange } = props;
  const name = useId();
  const t = useTranslations("studio");
  // The word needs more room than two numbers.
  const isWide = ratios.length > ROW_MAX || ratios.some((ratio) => ratio === "adaptive");
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className={cn("grid gap-1.5", isWide ? "grid-cols-4" : "grid-cols-6")}>
        {ratios.map((ratio) => {
          const [width, height] = sidesOf(ratio);
          return (
            <label
              key={ratio}
              className="group relative grid h-14 place-items-center rounded-md border border-control bg-card pt-1.5 pb-1 text-muted transition-colors hover:text-ink has-checked:border-ink has-checked:text-ink has-checked:shadow-[inset_0_0_0_1px_var(--ink)] has-focus-visible:outline-2 has-focus-visible:outline-signal has-focus-visible:outline-offset-2"
            >
              <input
                type="radio"
                className="absolute inset-0 cursor-pointer opacity-0"
                name={name}
                value={ratio}
                checked={ratio === value}
                onChange={() => onChange(ratio)}
              />
              <svg aria-hidden viewBox="0 0 28 28" className="size-7">
                <rect
                  x={14 - width / 2}
                  y={14 - height / 2}
                  width={width}
                  height={height}
                  rx={1.5}
                  className="fill-transparent stroke-current group-has-checked:fill-current"
                  strokeWidth={1.2}
                  strokeDasharray={ratio === "adaptive" ? "2.5 2" : undefined}
                />
              </svg>
              <span className="num text-[0.6875rem] leading-none">
                {ratio === "adaptive" ? t("adaptive") : ratio}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
