"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RequestError } from "@/lib/client/call";
import { useFailureText } from "./failure-text";
import { useIsFirst } from "./use-is-first";

/** What fails everything on a page alike: no answer, or a server in trouble. */
function commonCause(error: Error): string | null {
  if (!(error instanceof RequestError)) return null;
  if (error.code === "offline") return "offline";
  return error.status >= 500 ? "server" : null;
}

/**
 * In the place of what could not be loaded: why, the request id to quote, and another try. Where several
 * parts of a page fail from one cause, the first says so, and its button tries all of them again.
 */
export function QueryFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations("failures");
  const failureText = useFailureText();
  const client = useQueryClient();
  const cause = commonCause(error);
  const isFirst = useIsFirst(cause);
  const requestId = error instanceof RequestError ? error.requestId : null;
  if (!isFirst) return <p className="py-2 text-muted text-sm">{t("sameCause")}</p>;
  const retry = () => {
    if (cause === null) return onRetry();
    const failed = {
      predicate: ({ state }: { state: { status: string } }) => state.status === "error",
    };
    void client.refetchQueries(failed);
  };
  return (
    <Notice tone="bad">
      <p>{failureText(error)}</p>
      {requestId ? (
        <p className="num mt-1 break-all text-muted text-xs">{t("requestId", { requestId })}</p>
      ) : null}
      <Button size="small" className="mt-2.5" onClick={retry}>
        {t("retry")}
      </Button>
    </Notice>
  );
}
