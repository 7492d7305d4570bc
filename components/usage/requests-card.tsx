"use client";

import { useSearchParams } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { MorePages } from "@/components/shell/more-pages";
import { QueryFailure } from "@/components/shell/query-failure";
import { Card, CardHead } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead, Table, TableBody, TableHead } from "@/components/ui/table";
import { useUsage } from "@/lib/client/usage";
import type { UsageFilterView, UsageSum } from "@/lib/contract/usage";
import { EntriesSkeleton } from "./entries-card";
import { EntryRow } from "./entry-row";

/** The address of a request's details within what the page shows now. */
function useDetailHref(): (id: string) => string {
  const search = useSearchParams();
  return (id) => {
    const next = new URLSearchParams(search);
    next.set("request", id);
    return `/usage?${next}`;
  };
}

/** Every request of the filter, and the sums over all of them, not only those shown. */
export function RequestsCard({ filter, total }: { filter: UsageFilterView | null; total: UsageSum | "unknown" | undefined }) {
  const t = useTranslations("usage");
  const entries = useTranslations("entries");
  const hrefOf = useDetailHref();
  const query = useUsage(filter);
  const requests = query.data?.pages.flatMap((page) => page.requests) ?? [];
  return (
    <Card aria-labelledby="requests" aria-busy={query.isPlaceholderData}>
      <CardHead id="requests" title={t("requests")} note={t("requestsNote")} />
      <Totals total={total} />
      {query.error && !query.data ? (
        <div className="border-t p-5">
          <QueryFailure error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : null}
      {query.isPending && !query.error ? <EntriesSkeleton /> : null}
      {query.data && requests.length === 0 ? <p className="border-t px-5 py-10 text-center text-muted">{t("empty")}</p> : null}
      {requests.length > 0 ? (
        <Table labelledBy="requests" className="border-t">
          <TableHead>
            <ColumnHead className="w-58">{entries("what")}</ColumnHead>
            <ColumnHead>{entries("line")}</ColumnHead>
            <ColumnHead isNumber>{entries("amount")}</ColumnHead>
          </TableHead>
          <TableBody>
            {requests.map((entry) => (
              <EntryRow key={entry.id} entry={entry} href={hrefOf(entry.id)} />
            ))}
          </TableBody>
        </Table>
      ) : null}
      <MorePages query={query} />
      {query.data ? <p className="border-t px-5 py-3.5 text-muted text-sm">{t("notKept")}</p> : null}
    </Card>
  );
}

/** `unknown`: the sums could not be made; the card above says why. */
function Totals({ total }: { total: UsageSum | "unknown" | undefined }) {
  const t = useTranslations("usage.totals");
  const format = useFormatter();
  if (total === "unknown") return null;
  const number = (value: number) => <span className="num">{format.number(value)}</span>;
  return (
    <dl aria-label={t("label")} className="grid grid-cols-2 gap-x-6 gap-y-3 border-t bg-wash/60 px-5 py-3.5 sm:grid-cols-3 lg:grid-cols-6">
      <Figure name={t("requests")}>{total && number(total.requests)}</Figure>
      <Figure name={t("settled")}>{total && number(total.settled)}</Figure>
      <Figure name={t("released")}>{total && number(total.released)}</Figure>
      <Figure name={t("tokens")}>
        {total && (
          <>
            {number(total.inputTokens)} / {number(total.outputTokens)}
          </>
        )}
      </Figure>
      <Figure name={t("held")}>{total && <PointsText value={total.held} className="text-held-ink" />}</Figure>
      <Figure name={t("charged")}>{total && <PointsText value={total.charged} form="exact" className="font-medium" />}</Figure>
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="wrap-anywhere">
        {children ?? (
          <span className="flex h-lh items-center">
            <Skeleton className="h-4 w-16" />
          </span>
        )}
      </dd>
    </div>
  );
}
