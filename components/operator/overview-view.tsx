"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";
import { PointsText } from "@/components/ui/points-text";
import { QueryFailure } from "@/components/ui/query-failure";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { operatorOverviewQuery } from "@/lib/client/operator";
import type { OperatorOverview } from "@/lib/contract/operator";
import { UnservedNotice } from "./unserved-notice";

export function OperatorOverviewView() {
  const t = useTranslations("operator.overview");
  const { data, error, refetch } = useQuery(operatorOverviewQuery);
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      <UnservedNotice unserved={data?.unserved ?? []} />
      {error && !data ? <QueryFailure error={error} onRetry={refetch} /> : <Facts facts={data} />}
    </>
  );
}

function Facts({ facts }: { facts: OperatorOverview | undefined }) {
  const t = useTranslations("operator.overview");
  return (
    <>
      <Group title={t("now")}>
        <Fact name={t("available")}>{facts && <PointsText value={facts.available} />}</Fact>
        <Fact name={t("held")}>{facts && <PointsText value={facts.held} />}</Fact>
        <Fact
          name={t("openHolds")}
          note={facts?.oldestHoldAt ? <RelativeTime at={facts.oldestHoldAt} /> : null}
        >
          {facts?.openHolds}
        </Fact>
        <Fact name={t("accounts")}>{facts?.accounts}</Fact>
      </Group>
      <Group title={t("day")}>
        <Fact name={t("charged")}>{facts && <PointsText value={facts.day.charged} />}</Fact>
        <Fact name={t("settled")}>{facts?.day.settled}</Fact>
        <Fact name={t("released")}>{facts?.day.released}</Fact>
        <Fact
          name={t("lost")}
          note={facts && facts.day.losses > 0 ? t("losses", { count: facts.day.losses }) : null}
        >
          {facts && <PointsText value={facts.day.lost} />}
        </Fact>
      </Group>
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-6">
      <h2 className="mb-2 text-muted text-sm">{title}</h2>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-line lg:grid-cols-4">
        {children}
      </dl>
    </section>
  );
}

function Fact({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="bg-card px-4 py-3.5">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="num mt-0.5 flex min-h-7 flex-wrap items-baseline gap-x-2 text-xl">
        {children ?? <Skeleton className="h-6 w-24" />}
        {note ? <span className="text-muted text-sm">{note}</span> : null}
      </dd>
    </div>
  );
}
