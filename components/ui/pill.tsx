import type { ReactNode } from "react";
import { cn } from "./class-names";

const tones = {
  plain: "border-line-strong text-muted",
  ok: "border-transparent bg-ok/14 text-ok-ink",
  held: "border-transparent bg-held/20 text-held-ink",
  /** What fails now. */
  bad: "border-bad/45 text-bad",
};

interface PillProps {
  tone?: keyof typeof tones;
  children: ReactNode;
}

export function Pill({ tone = "plain", children }: PillProps) {
  return (
    <span
      className={cn(
        "inline-block whitespace-nowrap rounded-sm border px-1.5 py-0.75 font-medium text-xs/none",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
