import { useTranslations } from "next-intl";
import { SettlementLine } from "@/components/requests/settlement-line";
import { useDurationText } from "@/components/ui/duration-text";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import type { ChatFacts } from "@/lib/client/chat-stream";
import { useRequestDetail } from "@/lib/client/usage";

/** An answer's tokens, time and charge. */
export function AnswerFacts({ facts, requestId }: { facts: ChatFacts; requestId: string }) {
  const t = useTranslations("playground");
  const durationText = useDurationText();
  const { data } = useRequestDetail(requestId);
  const request = data?.entry.request;
  const times = {
    first: facts.firstMs === null ? "–" : durationText(facts.firstMs),
    total: durationText((facts.isLate ? request?.durationMs : null) ?? facts.totalMs),
  };
  const input = facts.inputTokens ?? request?.inputTokens ?? null;
  const output = facts.outputTokens ?? request?.outputTokens ?? null;
  const points = request?.settled ?? facts.points;
  return (
    <div className="mt-3 grid gap-2.5 border-t pt-3">
      <p className="flex flex-wrap gap-x-3 gap-y-1 text-muted text-sm">
        <span className="num">
          {input === null || output === null
            ? t("seconds", times)
            : t(facts.isLate ? "factsLate" : "facts", { input, output, ...times })}
        </span>
        {points === null ? null : (
          <span>
            {t.rich("points", { amount: () => <PointsText value={points} form="exact" /> })}
          </span>
        )}
        <Link
          href={`/requests/${requestId}`}
          className="num rounded-sm underline underline-offset-2 hover:text-ink"
        >
          {requestId}
        </Link>
      </p>
      <div className="min-h-10">
        {request ? <SettlementLine {...request} heldSince={data.entry.at} /> : null}
      </div>
    </div>
  );
}
