import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { ForRole } from "@/components/ui/for-role";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { RequestError } from "@/lib/client/call";

/** The texts of these failures already say that nothing was charged. */
const saysItself = new Set([
  "upstream_failed",
  "upstream_bad_response",
  "upstream_timeout",
  "upstream_concurrency_exceeded",
  "content_rejected",
  "audio_review_failed",
  "context_length_exceeded",
  "max_tokens_too_large",
  "invalid_image",
  "invalid_tool_schema",
  "invalid_history",
  "no_channel_available",
  "internal_error",
]);

/**
 * Why an order failed. Refused and failed orders are not charged; when nothing answered, only the
 * usage log knows.
 */
export function MakeFailure({ error }: { error: Error }) {
  const t = useTranslations("studio");
  const playground = useTranslations("playground");
  const failures = useTranslations("failures");
  const failureText = useFailureText("studio");
  const { requestId, status, code } =
    error instanceof RequestError ? error : { requestId: null, status: 0, code: "" };
  return (
    <Notice tone="bad">
      <p className="wrap-anywhere">{failureText(error)}</p>
      {status >= 400 && !saysItself.has(code) ? (
        <p className="font-medium">{t("notCharged")}</p>
      ) : null}
      {requestId ? (
        <p className="num wrap-anywhere text-muted">{failures("requestId", { requestId })}</p>
      ) : null}
      {code === "insufficient_points" ? (
        <ForRole needs="topUp">
          <Button asChild size="small" look="go" className="mt-2">
            <Link href="/points">{playground("topUp")}</Link>
          </Button>
        </ForRole>
      ) : null}
    </Notice>
  );
}
