"use client";

import { useTranslations } from "next-intl";

/** Why a request was released, in words if the reason is known. */
export function useReasonText(): (reason: string) => string {
  const t = useTranslations("reasons");
  return (reason) => (t.has(reason as "upstream_failed") ? t(reason as "upstream_failed") : reason);
}
