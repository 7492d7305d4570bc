import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useDurationText } from "@/components/ui/duration-text";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PointsText } from "@/components/ui/points-text";
import { useListText } from "@/components/ui/use-list-text";
import { exactTime } from "@/lib/client/times";
import type { EntryView } from "@/lib/contract/entries";
import type { RequestView } from "@/lib/contract/usage";
import { FamilyTag } from "./family-tag";
import { useReasonText } from "./reason-text";
import { Calculation, CopyableLine, Line, Part } from "./request-parts";
import { SettlementLine } from "./settlement-line";

type RequestFacts = NonNullable<EntryView["request"]>;

interface RequestDetailsProps {
  detail: RequestView;
  request: RequestFacts;
  /** Whether the viewer may open its result. */
  isOwn?: boolean;
  /** Why it ended so, which is read before its sums. */
  children?: ReactNode;
}

const link =
  "w-fit rounded-sm text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink";

/** What became of a request: quoted, held, settled; why it was not charged; the way to its result. */
export function RequestOutcome({ detail, request, isOwn = true }: RequestDetailsProps) {
  const t = useTranslations("usage.detail");
  const reasonText = useReasonText();
  const { entry } = detail;
  return (
    <div className="grid gap-3">
      <FamilyTag family={request.family}>{request.model}</FamilyTag>
      <SettlementLine {...request} heldSince={entry.at} />
      {request.family === "text" || !isOwn ? null : (
        <Link href={`/tasks/${entry.id}`} prefetch={false} className={link}>
          {t("openResult")}
        </Link>
      )}
      {request.state === "released" ? (
        <Notice tone="ok">
          <p className="font-medium">{t("notCharged")}</p>
          {entry.reason ? <p className="text-muted">{reasonText(entry.reason)}</p> : null}
        </Notice>
      ) : null}
    </div>
  );
}

/**
 * A request's details: its outcome, its charge with the calculation, and the changes of the
 * balance.
 */
export function RequestDetails({ detail, request, isOwn = true, children }: RequestDetailsProps) {
  const t = useTranslations("usage.detail");
  const page = isOwn ? "/requests" : "/admin/requests";
  return (
    <div className="grid gap-5">
      <div className="grid gap-3">
        <RequestOutcome detail={detail} request={request} isOwn={isOwn} />
        <Link href={`${page}/${detail.entry.id}`} prefetch={false} className={link}>
          {t("openLife")}
        </Link>
      </div>
      {children}
      {request.settled !== null ? (
        <Calculation detail={detail} request={request} settled={request.settled} />
      ) : null}
      <Trail detail={detail} request={request} />
      <RequestFactsPart detail={detail} request={request} />
    </div>
  );
}

/** The changes of the balance, in order. */
function Trail({ detail, request }: { detail: RequestView; request: RequestFacts }) {
  const t = useTranslations("usage.detail");
  const locale = useLocale();
  const steps: { at: string | null; text: ReactNode }[] = [
    {
      at: detail.entry.at,
      text: t.rich("held", { points: () => <PointsText value={request.held} form="exact" /> }),
    },
  ];
  if (request.settled !== null) {
    steps.push({
      at: request.endedAt,
      text: t.rich("settled", {
        points: () => <PointsText value={request.settled ?? ""} form="exact" />,
      }),
    });
    if (Number(detail.refunded) > 0) {
      steps.push({
        at: null,
        text: t.rich("refunded", {
          points: () => <PointsText value={detail.refunded} form="exact" />,
        }),
      });
    }
  } else if (request.state === "released") {
    steps.push({
      at: request.endedAt,
      text: t.rich("released", { points: () => <PointsText value={request.held} form="exact" /> }),
    });
  } else steps.push({ at: null, text: t("running") });
  return (
    <Part title={t("trail")}>
      <ol className="grid gap-1.5 text-sm">
        {steps.map(({ at, text }) => (
          <li key={at ?? "running"} className="flex flex-wrap justify-between gap-x-3">
            <span>{text}</span>
            {at ? (
              <time dateTime={at} className="num text-muted text-xs">
                {exactTime(at, locale)}
              </time>
            ) : null}
          </li>
        ))}
      </ol>
    </Part>
  );
}

interface RequestFactsPartProps {
  detail: RequestView;
  request: RequestFacts;
}

export function RequestFactsPart({ detail, request }: RequestFactsPartProps) {
  const listed = useListText();
  const t = useTranslations("usage.detail");
  const durationText = useDurationText();
  const { entry, key } = detail;
  return (
    <Part title={t("facts")}>
      <dl className="grid gap-1 text-sm">
        <Line name={t("key")}>
          {request.keyName ? `${request.keyName} ${key?.hint ?? ""}` : t("noKey")}
        </Line>
        {detail.maker === null ? null : <Line name={t("by")}>{detail.maker}</Line>}
        <Line name={t("way")}>{detail.isStream ? t("stream") : t(request.source)}</Line>
        {request.dialect ? <Line name={t("dialect")}>{t(request.dialect)}</Line> : null}
        {request.tags.length > 0 ? (
          <Line name={t("tags")}>
            {listed(request.tags.map(({ name, value }) => `${name}=${value}`))}
          </Line>
        ) : null}
        {request.durationMs ? (
          <Line name={t("duration")}>{durationText(request.durationMs)}</Line>
        ) : null}
        {detail.isStream && detail.firstByteMs !== null ? (
          <Line name={t("firstByte")}>{durationText(detail.firstByteMs)}</Line>
        ) : null}
        {detail.isAbandoned ? <Line name={t("client")}>{t("left")}</Line> : null}
        <CopyableLine name={t("requestId")} value={request.requestId} />
        <CopyableLine name={t("operationId")} value={entry.id} />
      </dl>
    </Part>
  );
}
