import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RequestError } from "@/lib/client/call";
import { useFailureText } from "./failure-text";
import { useIsFirst } from "./use-is-first";

/** The cause, where it is one that makes all requests of a page fail. */
function commonCause(error: Error): string | null {
  if (!(error instanceof RequestError)) return null;
  if (error.code === "offline") return "offline";
  return error.status >= 500 ? "server" : null;
}

/**
 * Shown in place of content that could not be loaded: the reason, the request id and a retry
 * button. When several parts of a page fail from one cause, only the first shows it, and its button
 * retries all of them.
 */
export function QueryFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations("failures");
  // What is loaded has no input but the filters in its address.
  const failureText = useFailureText("filter");
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
