import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import type { HoldState } from "@/lib/contract/states";

const ends = {
  settled: "fill-ok stroke-ok",
  released: "fill-card stroke-control",
  held: "fill-card stroke-control",
};

/** The settlement line of a row: quoted, held, and how it ended. */
export function SettlementDots({ state }: { state: HoldState }) {
  const t = useTranslations("settlement");
  return (
    <>
      <svg aria-hidden viewBox="0 0 34 8" className="inline-block h-2 w-8.5 overflow-visible">
        <path d="M4 4h13" className="stroke-2 stroke-ink" />
        <path
          d="M17 4h13"
          className={cn("stroke-2", state === "held" ? "stroke-line-strong" : "stroke-ink")}
        />
        <circle cx="4" cy="4" r="3" className="fill-ink" />
        <circle
          cx="17"
          cy="4"
          r="3"
          className={state === "held" ? "animate-pulse-soft fill-held" : "fill-ink"}
        />
        <circle cx="30" cy="4" r="3" className={cn("[stroke-width:1.5]", ends[state])} />
      </svg>
      <span className="sr-only">{state === "held" ? t("running") : t(state)}</span>
    </>
  );
}
