import { useTranslations } from "next-intl";

/** Why a request was released, in words: never its code. */
export function useReasonText(): (reason: string) => string {
  const t = useTranslations("reasons");
  return (reason) =>
    t(t.has(reason as "upstream_failed") ? (reason as "upstream_failed") : "unknown");
}

/** An attempt's failure, stored as `code: the upstream's words`, with the code in words. */
export function useErrorText(): (text: string) => string {
  const reasonText = useReasonText();
  return (text) => {
    const [, code, words] = /^([a-z_]{1,60}): (.*)$/s.exec(text) ?? [];
    return code === undefined ? text : `${reasonText(code)} · ${words}`;
  };
}
