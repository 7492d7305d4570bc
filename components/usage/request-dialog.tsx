"use client";

import { useFormatter, useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { QueryFailure } from "@/components/shell/query-failure";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { priceText } from "@/lib/client/points-display";
import { exactTime } from "@/lib/client/times";
import { useRequestDetail } from "@/lib/client/usage";
import type { EntryView } from "@/lib/contract/site";
import type { RequestView } from "@/lib/contract/usage";
import { FamilyTag } from "./family-tag";
import { useReasonText } from "./reason-text";
import { SettlementLine } from "./settlement-line";

type RequestFacts = NonNullable<EntryView["request"]>;

const asDrawer =
  "sm:top-0 sm:right-0 sm:bottom-0 sm:left-auto sm:h-dvh sm:max-h-dvh sm:w-[min(30rem,100vw)] sm:translate-x-0 sm:translate-y-0 sm:rounded-none sm:border-y-0 sm:border-r-0";

/** All there is to know of one request, at the side of the page; its address is a permanent one. */
export function RequestDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations("usage.detail");
  const { data, error, refetch } = useRequestDetail(id);
  return (
    <Dialog isOpen onOpenChange={(isOpen) => (isOpen ? undefined : onClose())} title={t("title")} className={asDrawer}>
      {data?.entry.request ? <Detail detail={data} request={data.entry.request} /> : null}
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <DetailSkeleton />}
    </Dialog>
  );
}

function Detail({ detail, request }: { detail: RequestView; request: RequestFacts }) {
  const t = useTranslations("usage.detail");
  const reasonText = useReasonText();
  const { entry } = detail;
  return (
    <div className="grid gap-5">
      <div className="grid gap-3">
        <FamilyTag family={request.family}>{request.model}</FamilyTag>
        <SettlementLine {...request} heldSince={entry.at} />
        {request.state === "released" ? (
          <Notice tone="ok">
            <p className="font-medium">{t("notCharged")}</p>
            {entry.reason ? <p className="text-muted">{reasonText(entry.reason)}</p> : null}
          </Notice>
        ) : null}
      </div>
      {request.settled !== null ? <Calculation detail={detail} request={request} settled={request.settled} /> : null}
      <Trail detail={detail} request={request} />
      <Facts detail={detail} request={request} />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 font-medium text-sm">{title}</h3>
      {children}
    </section>
  );
}

/** Tokens × price × multiplier = points, as the bill was made. */
function Calculation({ detail, request, settled }: { detail: RequestView; request: RequestFacts; settled: string }) {
  const t = useTranslations("usage.detail");
  const format = useFormatter();
  const { price, multiplier } = detail;
  const line = (name: string, tokens: number | null, each: string) =>
    tokens === null || (tokens === 0 && name !== t("output")) ? null : (
      <Line name={name}>
        {format.number(tokens)} × {priceText(each)}
      </Line>
    );
  return (
    <Part title={t("calculation")}>
      <dl className="grid gap-0.5 rounded-md border px-3.5 py-2.5 text-sm">
        {line(t("input"), request.inputTokens, price.input)}
        {line(t("output"), request.outputTokens, price.output)}
        <Line name={t("multiplier")}>× {multiplier}</Line>
        <div className="mt-1.5 flex justify-between gap-3 border-t pt-1.5 font-medium">
          <dt>{t("points")}</dt>
          <dd>
            <PointsText value={settled} form="exact" />
          </dd>
        </div>
      </dl>
      <p className="mt-1.5 text-muted text-xs">{settled === request.held ? t("atHold") : t("rounding")}</p>
    </Part>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{name}</dt>
      <dd className="num min-w-0 wrap-anywhere text-right">{children}</dd>
    </div>
  );
}

/** What happened to the points, in the order it happened. */
function Trail({ detail, request }: { detail: RequestView; request: RequestFacts }) {
  const t = useTranslations("usage.detail");
  const locale = useLocale();
  const steps: { at: string | null; text: ReactNode }[] = [
    { at: detail.entry.at, text: t.rich("held", { points: () => <PointsText value={request.held} form="exact" /> }) },
  ];
  if (request.settled !== null) {
    steps.push({
      at: request.endedAt,
      text: t.rich("settled", { points: () => <PointsText value={request.settled ?? ""} form="exact" /> }),
    });
    if (Number(detail.refunded) > 0) {
      steps.push({ at: null, text: t.rich("refunded", { points: () => <PointsText value={detail.refunded} form="exact" /> }) });
    }
  } else if (request.state === "released") {
    steps.push({ at: request.endedAt, text: t.rich("released", { points: () => <PointsText value={request.held} form="exact" /> }) });
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

function Facts({ detail, request }: { detail: RequestView; request: RequestFacts }) {
  const t = useTranslations("usage.detail");
  const format = useFormatter();
  const { entry, key } = detail;
  return (
    <Part title={t("facts")}>
      <dl className="grid gap-1 text-sm">
        <Line name={t("key")}>{request.keyName ? `${request.keyName} ${key?.hint ?? ""}` : t("noKey")}</Line>
        <Line name={t("way")}>{detail.isStream ? t("stream") : t(request.source)}</Line>
        {request.durationMs ? <Line name={t("duration")}>{t("milliseconds", { value: format.number(request.durationMs) })}</Line> : null}
        {detail.firstByteMs !== null ? (
          <Line name={t("firstByte")}>{t("milliseconds", { value: format.number(detail.firstByteMs) })}</Line>
        ) : null}
        {detail.isAbandoned ? <Line name={t("client")}>{t("left")}</Line> : null}
        <Copied name={t("requestId")} value={request.requestId} />
        <Copied name={t("operationId")} value={entry.id} />
      </dl>
    </Part>
  );
}

function Copied({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 break-all text-right text-xs">{value}</code>
        <CopyButton text={value} what={name} look="quiet" hasText={false} className="size-7 p-0" />
      </dd>
    </div>
  );
}

function DetailSkeleton() {
  return (
    <div className="grid gap-5">
      <Skeleton className="h-4 w-32" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-36 w-full" />
    </div>
  );
}
