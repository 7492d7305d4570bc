import { CircleAlert, CircleCheck, Info } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./class-names";

const tones = {
  bad: { icon: CircleAlert, box: "border-bad/45 bg-bad/8", ink: "text-bad" },
  ok: { icon: CircleCheck, box: "border-ok/40 bg-ok/8", ink: "text-ok-ink" },
  /** Neutral information. */
  note: { icon: Info, box: "bg-wash", ink: "text-muted" },
};

/** A message about the whole form or page. Screen readers announce a `bad` one at once. */
export function Notice({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  const { icon: Icon, box, ink } = tones[tone];
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={cn("flex gap-2.5 rounded-md border px-3.5 py-3 text-sm", box)}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", ink)} />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
