import { useTranslations } from "next-intl";
import type { HoldState } from "@/lib/contract/states";

const ends: Record<HoldState, { fill: string; stroke: string }> = {
  settled: { fill: "var(--ok)", stroke: "var(--ok)" },
  released: { fill: "var(--card)", stroke: "var(--control)" },
  held: { fill: "var(--card)", stroke: "var(--control)" },
};

/** The settlement line of one request as three dots, for a row of a list. */
export function SettlementDots({ state }: { state: HoldState }) {
  const t = useTranslations("settlement");
  const isHeld = state === "held";
  return (
    <svg
      role="img"
      aria-label={t(isHeld ? "running" : state)}
      width={34}
      height={10}
      viewBox="0 0 34 10"
      className="shrink-0"
    >
      <path d="M4 5H17" stroke="var(--ink)" strokeWidth={1.5} />
      <path d="M17 5H30" stroke={isHeld ? "var(--line-strong)" : "var(--ink)"} strokeWidth={1.5} />
      <circle cx={4} cy={5} r={3} fill="var(--ink)" />
      <circle cx={17} cy={5} r={3} fill={isHeld ? "var(--held)" : "var(--ink)"} />
      <circle cx={30} cy={5} r={2.5} strokeWidth={1.5} {...ends[state]} />
    </svg>
  );
}
