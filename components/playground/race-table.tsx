import { useFormatter, useTranslations } from "next-intl";
import { useDurationText } from "@/components/ui/duration-text";
import { PointsText } from "@/components/ui/points-text";
import type { ChatFacts } from "@/lib/client/chat-stream";
import type { Turn } from "@/lib/client/kept-conversation";
import { useRequestDetail } from "@/lib/client/usage";

/** Tokens a second from the first word on; null until it is known, or where the answer was read later. */
function tokensPerSecond(facts: ChatFacts): number | null {
  const { outputTokens, firstMs, totalMs, isLate } = facts;
  if (outputTokens === null || firstMs === null || isLate || totalMs <= firstMs) return null;
  return (outputTokens * 1000) / (totalMs - firstMs);
}

const columns = ["raceModel", "raceFirst", "raceSpeed", "raceWhole", "racePoints"] as const;

/** What several answers to one question took and cost. */
export function RaceTable({ answers }: { answers: readonly Turn[] }) {
  const t = useTranslations("playground");
  return (
    <div className="overflow-x-auto rounded-md border">
      <table className="w-full text-sm">
        <caption className="sr-only">{t("sideBySide")}</caption>
        <thead>
          <tr className="border-b text-left text-muted">
            {columns.map((column) => (
              <th key={column} scope="col" className="px-3 py-1.5 font-normal not-first:text-right">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answers.map((turn) => (
            <RaceRow key={turn.id} turn={turn} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** An answer that was read later does not say what it cost; its request does. */
function LatePoints({ id }: { id: string }) {
  const points = useRequestDetail(id).data?.entry.request?.settled;
  return points ? <PointsText value={points} /> : "–";
}

function RaceRow({ turn: { order, facts, error, isStopped } }: { turn: Turn }) {
  const t = useTranslations("playground");
  const format = useFormatter();
  const durationText = useDurationText();
  const speed = facts ? tokensPerSecond(facts) : null;
  const points = facts?.points ? <PointsText key="points" value={facts.points} /> : "–";
  const end = error ? t("raceFailed") : isStopped ? t("stopped") : null;
  const cells = [
    facts?.firstMs ? durationText(facts.firstMs) : "–",
    speed === null ? "–" : format.number(Math.round(speed)),
    facts?.totalMs ? durationText(facts.totalMs) : "–",
    facts?.isLate && facts.requestId ? <LatePoints key="points" id={facts.requestId} /> : points,
  ];
  return (
    <tr className="border-b last:border-b-0">
      <th scope="row" className="px-3 py-1.5 text-left font-medium">
        {order?.settings.model}
      </th>
      {end !== null && !facts?.points && !facts?.isLate ? (
        <td colSpan={cells.length} className="px-3 py-1.5 text-right text-muted">
          {end}
        </td>
      ) : (
        cells.map((cell, at) => (
          <td key={columns[at + 1]} className="num whitespace-nowrap px-3 py-1.5 text-right">
            {cell}
          </td>
        ))
      )}
    </tr>
  );
}
