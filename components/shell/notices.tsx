"use client";

import { Info, TriangleAlert, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { cn } from "@/components/ui/class-names";
import { dismissedCookie, type ShownNotice } from "@/lib/client/notices";

/** The operators' notices, until dismissed in this browser. */
export function Notices({
  notices,
  className,
}: {
  notices: readonly ShownNotice[];
  className?: string;
}) {
  const t = useTranslations("shell");
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const shown = notices.filter(({ id }) => !dismissed.includes(id));
  if (shown.length === 0) return null;
  const dismiss = (id: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = dismissedCookie(document.cookie, id);
    setDismissed((before) => [...before, id]);
  };
  return (
    <aside aria-label={t("notices")} className={cn("grid gap-2", className)}>
      {shown.map(({ id, level, text }) => {
        const Icon = level === "warning" ? TriangleAlert : Info;
        return (
          <div
            key={id}
            className={cn(
              "flex items-start gap-2.5 rounded-md border py-2 pr-2 pl-3.5 text-sm",
              level === "warning" ? "border-held/45 bg-held/10" : "bg-wash",
            )}
          >
            <Icon
              aria-hidden
              className={cn(
                "mt-1 size-4 shrink-0",
                level === "warning" ? "text-held-ink" : "text-muted",
              )}
            />
            <p className="wrap-anywhere min-w-0 flex-1 py-0.5">{text}</p>
            <button
              type="button"
              aria-label={t("dismiss")}
              onClick={() => dismiss(id)}
              className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-card hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </button>
          </div>
        );
      })}
    </aside>
  );
}
