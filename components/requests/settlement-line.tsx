import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { PointsText } from "@/components/ui/points-text";
import type { Family, HoldState } from "@/lib/contract/states";
import { ElapsedTime } from "./elapsed-time";

export interface Settlement {
  family: Family;
  state: HoldState;
  quoted: string;
  held: string;
  settled: string | null;
  /** When the points were held. A running request then shows for how long. */
  heldSince?: string;
}

const line = "before:absolute before:top-[5px] before:right-0 before:left-0 before:h-0.5";
const dot =
  "after:absolute after:top-[1px] after:left-0 after:size-2.5 after:rounded-full after:border-2";
const looks = {
  past: "before:bg-ink after:border-ink after:bg-ink",
  now: "before:bg-line-strong after:border-held after:bg-held after:animate-pulse-soft",
  settled: "after:border-ok after:bg-ok",
  released: "after:border-control after:bg-card",
  ahead: "after:border-control after:border-dashed after:bg-card",
};

/**
 * The money line of a request: quoted, held, then settled or released. It is the same on every
 * page. The words carry all the information; the dots only repeat it. A text has no quote but its
 * price per token, since nobody knows how long its answer will be; its hold is the most it can cost.
 */
export function SettlementLine({
  family,
  state,
  quoted,
  held,
  settled,
  heldSince,
  className,
}: Settlement & { className?: string }) {
  const t = useTranslations("settlement");
  const end = state === "settled" ? "settled" : state === "released" ? "released" : "ahead";
  return (
    <ol
      aria-label={t("label")}
      className={cn("grid max-w-md grid-cols-3 text-muted text-xs", className)}
    >
      <Step look="past" name={t("quoted")}>
        {family === "text" ? (
          <span className="font-sans">{t("perToken")}</span>
        ) : (
          <PointsText value={quoted} />
        )}
      </Step>
      <Step look={state === "held" ? "now" : "past"} name={t("held")}>
        {family === "text" ? (
          t.rich("upTo", {
            unit: (words) => <span className="font-sans">{words}</span>,
            amount: () => <PointsText value={held} />,
          })
        ) : (
          <PointsText value={held} />
        )}
      </Step>
      <Step look={end} name={state === "held" ? t("running") : t(state)} isLast>
        {state === "settled" && settled !== null ? <PointsText value={settled} /> : null}
        {state === "released" ? <span className="font-sans">{t("notCharged")}</span> : null}
        {state === "held" ? (
          heldSince ? (
            <ElapsedTime since={heldSince} />
          ) : (
            <span className="font-sans">{t("settlesWhenDone")}</span>
          )
        ) : null}
      </Step>
    </ol>
  );
}

interface StepProps {
  look: keyof typeof looks;
  name: string;
  isLast?: boolean;
  children: React.ReactNode;
}

function Step({ look, name, isLast, children }: StepProps) {
  return (
    <li className={cn("relative min-w-0 pt-4", dot, !isLast && line, looks[look])}>
      {name}
      <b className="num block pr-2 font-medium text-ink text-sm/tight">{children}</b>
    </li>
  );
}
