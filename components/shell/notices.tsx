"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { cn } from "@/components/ui/class-names";
import { NoticeLine } from "@/components/ui/notice-line";
import { dismissedCookie, type ShownNotice } from "@/lib/client/notices";

interface NoticesProps {
  notices: readonly ShownNotice[];
  className?: string;
}

/** The operators' notices, until dismissed in this browser. */
export function Notices({ notices, className }: NoticesProps) {
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
    <aside
      data-notice
      aria-label={t("notices")}
      className={cn("grid grid-cols-1 gap-1.5", className)}
    >
      {shown.map(({ id, level, text }) => (
        <NoticeLine
          key={id}
          tone={level === "warning" ? "warning" : "note"}
          onDismiss={() => dismiss(id)}
        >
          {text}
        </NoticeLine>
      ))}
    </aside>
  );
}
