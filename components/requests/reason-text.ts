import { useTranslations } from "next-intl";

/** Why a request was released, in words: never its code. */
export function useReasonText(): (reason: string) => string {
  const t = useTranslations("reasons");
  return (reason) =>
    t(t.has(reason as "upstream_failed") ? (reason as "upstream_failed") : "unknown");
}

/** The code and the upstream's words of an attempt's failure, which is stored as `code: words`. */
export function partsOfError(text: string): { code: string; words: string } | null {
  const [, code, words] = /^([a-z_]{1,60}): (.*)$/s.exec(text) ?? [];
  return code === undefined || words === undefined ? null : { code, words };
}
