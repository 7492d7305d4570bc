"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RequestError } from "@/lib/client/call";
import { useFailureText } from "./failure-text";

/**
 * Shown in place of content that could not be loaded: the reason, the request id and a retry
 * button.
 */
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
