"use client";

import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";

export function WaitingCard({ label, prompt }: { label: string; prompt: string }) {
  const t = useTranslations("studio");
  return (
    <Card aria-label={label} aria-busy className="grid min-w-0 content-start gap-3 p-3.5">
      <p
        role="status"
        className="grid aspect-video w-full place-content-center rounded-md bg-wash text-muted text-sm"
      >
        {t("making")}
      </p>
      <p className="wrap-anywhere line-clamp-2 text-sm">{prompt}</p>
    </Card>
  );
}
