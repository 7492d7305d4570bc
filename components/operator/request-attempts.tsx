import { useTranslations } from "next-intl";
import { useReasonText } from "@/components/requests/reason-text";
import { Part } from "@/components/requests/request-parts";
import { Took } from "@/components/requests/took";
import { RelativeTime } from "@/components/ui/relative-time";
import type { LoggedRequestView } from "@/lib/contract/operator-requests";

type AttemptView = LoggedRequestView["attempts"][number];

/** The HTTP status and the upstream's words; empty where it said nothing. */
export const causeOf = ({ status, said }: Pick<AttemptView, "status" | "said">) =>
  [status === null ? null : `HTTP ${status}`, said].filter((part) => part !== null).join(" · ");

/** The calls to upstreams that failed, or of which a credential is known. */
export function RequestAttempts({ attempts }: Pick<LoggedRequestView, "attempts">) {
  const t = useTranslations("operator.requests");
  if (attempts.length === 0) return null;
  return (
    <Part title={t("attempts")}>
      <ol className="grid gap-3 text-sm">
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <Attempt attempt={attempt} />
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Attempt({ attempt }: { attempt: AttemptView }) {
  return (
    <>
      <p className="float-right text-muted text-xs">
        <Took ms={attempt.tookMs} /> · <RelativeTime at={attempt.endedAt} />
      </p>
      <AttemptWords attempt={attempt} />
    </>
  );
}

/** Who was asked, and what the upstream said. */
export function AttemptWords({ attempt }: { attempt: AttemptView }) {
  const t = useTranslations("operator.requests");
  const { channel, credential, upstreamModel, code, status, said, internal, upstreamRef } = attempt;
  const reasonText = useReasonText();
  const names = [channel.name ?? channel.id, credential, upstreamModel].filter(Boolean);
  const cause = causeOf({ status, said });
  // The status is said before its words.
  const codes = [
    ...new Set([code, internal?.replace(`status ${status}: `, ""), upstreamRef]),
  ].filter((each) => each && !cause.includes(each));
  return (
    <>
      <p className="wrap-anywhere">{names.join(" · ")}</p>
      {code === null ? (
        <p className="text-muted">{t("answered")}</p>
      ) : (
        <p translate={cause ? "no" : undefined} className="wrap-anywhere">
          {cause || reasonText(code)}
        </p>
      )}
      <p translate="no" className="wrap-anywhere font-mono text-muted text-xs">
        {codes.join(" · ")}
      </p>
    </>
  );
}
