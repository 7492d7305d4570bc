"use client";

import { useTranslations } from "next-intl";
import { RequestError } from "@/lib/client/request-error";

/** What to tell a person about a failure: in their language where the code is known, else as the server put it. */
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
