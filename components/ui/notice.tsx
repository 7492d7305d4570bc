import { CircleAlert, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./class-names";

/** A message about the whole form or page; a bad one is read out at once. */
export function Notice({ tone, children }: { tone: "bad" | "ok"; children: ReactNode }) {
  const Icon = tone === "bad" ? CircleAlert : CircleCheck;
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={cn(
        "flex gap-2.5 rounded-md border px-3.5 py-3 text-sm",
        tone === "bad" ? "border-bad/45 bg-bad/8" : "border-ok/40 bg-ok/8",
      )}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", tone === "bad" ? "text-bad" : "text-ok-ink")} />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
