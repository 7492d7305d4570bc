import { useTranslations } from "next-intl";

/** Why a request was released, in words: never its code. */
export function useReasonText(): (reason: string) => string {
  const t = useTranslations("reasons");
  return (reason) =>
    t(t.has(reason as "upstream_failed") ? (reason as "upstream_failed") : "unknown");
}
