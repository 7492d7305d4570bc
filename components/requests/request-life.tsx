import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import { useDurationText } from "@/components/ui/duration-text";
import { PointsText } from "@/components/ui/points-text";
import { useNowEachSecond } from "@/lib/client/now";
import { type LifeRow, lifeOf } from "@/lib/client/request-life";
import { exactTime } from "@/lib/client/times";
import type { RequestView } from "@/lib/contract/usage";
import { useReasonText } from "./reason-text";

interface RequestLifeProps {
  detail: RequestView;
  /** More of a row, such as the channel of an attempt. */
  noteOf?: (row: LifeRow) => ReactNode;
}

const colours: Readonly<Record<LifeRow["kind"], string>> = {
  held: "var(--held)",
  failed: "var(--bad)",
  submitted: "var(--ink)",
  upstream: "var(--ink)",
  firstToken: "var(--ink)",
  stored: "var(--ink)",
  settled: "var(--ok)",
  released: "var(--control)",
  refunded: "var(--ok)",
};

/** The hold, each call to an upstream, and the charge of a request, each at its time. */
export function RequestLife(props: RequestLifeProps) {
  return props.detail.entry.request?.state === "held" ? (
    <RunningLife {...props} />
  ) : (
    <Rows {...props} nowMs={0} />
  );
}

function RunningLife(props: RequestLifeProps) {
  return <Rows {...props} nowMs={useNowEachSecond()} />;
}

function Rows({ detail, noteOf, nowMs }: RequestLifeProps & { nowMs: number }) {
  const t = useTranslations("usage.life");
  const { rows, totalMs } = lifeOf(detail, nowMs);
  return (
    <ol aria-label={t("title")} className="@container grid text-sm">
      {rows.map((row) => (
        <li
          key={row.id}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-b py-2.5 last:border-b-0 @2xl:grid-cols-[8rem_minmax(0,1fr)_13.5rem]"
        >
          <span className="font-medium">
            {t(row.kind === "upstream" && row.isOpen ? "running" : row.kind, {
              number: row.number ?? 1,
            })}
          </span>
          <span className="text-right @2xl:order-3">
            <Time row={row} detail={detail} />
          </span>
          <div className="col-span-full grid min-w-0 gap-1 @2xl:order-2 @2xl:col-span-1">
            <Bar row={row} totalMs={totalMs} />
            <Facts row={row} detail={detail} />
            {noteOf?.(row)}
          </div>
        </li>
      ))}
    </ol>
  );
}

const BAR_HEIGHT = 10;

/** Where it is between the hold and the end. What comes later has no place there. */
function Bar({ row, totalMs }: { row: LifeRow; totalMs: number }) {
  const { kind, fromMs, toMs, isOpen } = row;
  if (fromMs > totalMs) return null;
  const percent = (ms: number) => `${Math.round((ms / totalMs) * 10_000) / 100}%`;
  return (
    <svg aria-hidden width="100%" height={BAR_HEIGHT} className="mt-1.5 block overflow-visible">
      <rect y={4} width="100%" height={2} fill="var(--line)" />
      {toMs === fromMs ? (
        <circle cx={percent(fromMs)} cy={5} r={4.5} fill={colours[kind]} />
      ) : (
        <rect
          x={percent(fromMs)}
          width={percent(Math.max(toMs - fromMs, totalMs / 200))}
          height={BAR_HEIGHT}
          rx={2}
          fill={colours[kind]}
          className={cn(isOpen && "animate-pulse-soft")}
        />
      )}
    </svg>
  );
}

/** How long it took, or how long after the hold it came; the day of the hold and of what came later. */
function Time({ row, detail }: { row: LifeRow; detail: RequestView }) {
  const t = useTranslations("usage.life");
  const locale = useLocale();
  const durationText = useDurationText();
  const { kind, fromMs, toMs, refund } = row;
  if (kind === "held" || refund !== undefined) {
    const at = refund?.at ?? detail.entry.at;
    return (
      <time dateTime={at} className="num text-muted text-xs">
        {exactTime(at, locale)}
      </time>
    );
  }
  return (
    <span className="num text-muted text-xs">
      {toMs === fromMs ? t("after", { time: durationText(fromMs) }) : durationText(toMs - fromMs)}
    </span>
  );
}

/** The points of a row, or why it failed. */
function Facts({ row, detail }: { row: LifeRow; detail: RequestView }) {
  const t = useTranslations("usage.life");
  const reasonText = useReasonText();
  const { request, reason } = detail.entry;
  const { kind, attempt, refund } = row;
  const exact = (value: string) => () => <PointsText value={value} form="exact" />;
  if (request === null) return null;
  if (kind === "held")
    return (
      <p className="text-muted">
        {t.rich(request.family === "text" ? "heldUpTo" : "heldOf", {
          quoted: exact(request.quoted),
          held: exact(request.held),
        })}
      </p>
    );
  if (kind === "failed" && attempt?.code)
    return <p className="wrap-anywhere text-muted">{reasonText(attempt.code)}</p>;
  if (kind === "settled" && request.settled !== null)
    return <p className="text-muted">{t.rich("charged", { points: exact(request.settled) })}</p>;
  if (kind === "released")
    return (
      <p className="wrap-anywhere text-muted">
        {t.rich("givenBack", { points: exact(request.held) })} {reason ? reasonText(reason) : null}
      </p>
    );
  if (refund !== undefined)
    return (
      <p className="wrap-anywhere text-muted">
        {t.rich("refundedFor", { points: exact(refund.points) })} {refund.reason}
      </p>
    );
  return null;
}
