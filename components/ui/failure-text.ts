"use client";

import { useTranslations } from "next-intl";
import { RequestError } from "@/lib/client/request-error";

/** The text for a failure: translated where its code is known, otherwise the server's message. */
export function useFailureText(): (error: unknown) => string {
  const t = useTranslations("failures");
  return (error) => {
    if (!(error instanceof RequestError)) return t("unknown");
    const isKnown = t.has(error.code as "unknown");
    const text = isKnown ? t(error.code as "unknown") : error.message;
    return error.retryAfterSeconds === null
      ? text
      : `${text} ${t("wait", { minutes: Math.max(1, Math.ceil(error.retryAfterSeconds / 60)) })}`;
  };
}
