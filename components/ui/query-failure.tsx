"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RequestError } from "@/lib/client/call";
import { useFailureText } from "./failure-text";

/** In the place of what could not be loaded: why, the request id to quote, and another try. */
export function QueryFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations("failures");
  const failureText = useFailureText();
  const requestId = error instanceof RequestError ? error.requestId : null;
  return (
    <Notice tone="bad">
      <p>{failureText(error)}</p>
      {requestId ? (
        <p className="num mt-1 break-all text-muted text-xs">{t("requestId", { requestId })}</p>
      ) : null}
      <Button size="small" className="mt-2.5" onClick={onRetry}>
        {t("retry")}
      </Button>
    </Notice>
  );
}
