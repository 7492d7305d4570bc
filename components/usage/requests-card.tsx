import { useSearchParams } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { withParameter } from "@/components/lists/address";
import { DenseCard } from "@/components/lists/dense-card";
import { useOpenRow } from "@/components/lists/use-open-row";
import { entryValues } from "@/components/requests/entry-cells";
import { useArchivedMonths } from "@/components/requests/use-archived-months";
import { chosenLayout } from "@/components/ui/dense-table";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useSorted } from "@/components/ui/use-sorted";
import { useUsage } from "@/lib/client/usage";
import type { UsageSum } from "@/lib/contract/usage";
import type { UsageFilterView } from "@/lib/contract/usage-filter";
import { ColumnChoice, useRequestColumns } from "./request-columns";
import { RequestDialog } from "./request-dialog";

type Total = UsageSum | "unknown" | undefined;

interface RequestsCardProps {
  filter: UsageFilterView | null;
  /** Whether new requests appear by themselves. */
  isLive: boolean;
  total: Total;
}

/** The requests of the filter, and the sums over all of them, not only those shown. */
export function RequestsCard({ filter, isLive, total }: RequestsCardProps) {
  const t = useTranslations("usage");
  const search = useSearchParams();
  const query = useUsage(filter, isLive);
  const months = useArchivedMonths(query.data?.pages[0]?.archived);
  const isOfAmounts = filter?.pointsMin !== undefined || filter?.pointsMax !== undefined;
  const archivedName = filter?.member ? "archivedOfMember" : "archived";
  const archivedNote =
    months === null ? null : t(isOfAmounts ? "archivedOfAmounts" : archivedName, { months });
  const loaded = query.data?.pages.flatMap((page) => page.requests) ?? [];
  const { rows: requests, sort } = useSorted(loaded, entryValues, !query.hasNextPage);
  const shown = useRequestColumns(sort, filter?.zone);
  const row = useOpenRow(
    "request",
    requests.map(({ id }) => id),
    query,
    total === "unknown" ? undefined : total?.requests,
  );
  return (
    <>
      <DenseCard
        id="requests"
        title={t("requests")}
        head={<Totals total={total} columns={<ColumnChoice chosen={shown.chosen} />} />}
        query={query}
        empty={archivedNote ?? t("empty")}
        columns={shown.columns}
        layout={chosenLayout}
        widths={shown.widths}
        rows={requests.map((entry) => ({
          id: entry.id,
          href: withParameter("/usage", search, "request", entry.id),
          onOpen: () => row.open(entry.id),
          isOpen: row.id === entry.id,
          cells: shown.cellsOf(entry),
        }))}
        foot={
          <div className="grid gap-1.5 border-t px-4 py-3 text-xs">
            {archivedNote === null || requests.length === 0 ? null : <p>{archivedNote}</p>}
            <p className="text-muted">
              {t("requestsNote")} {t("notKept")}
            </p>
          </div>
        }
      />
      {row.id === null ? null : <RequestDialog id={row.id} row={row} timeZone={filter?.zone} />}
    </>
  );
}

/** `unknown`: the sums failed to load; the card above says why. */
function Totals({ total, columns }: { total: Total; columns: ReactNode }) {
  const t = useTranslations("usage");
  const format = useFormatter();
  const number = (value: number) => <span className="num">{format.number(value)}</span>;
  const short = (value: number) => (
    <span title={format.number(value)}>
      {format.number(value, { notation: "compact", maximumFractionDigits: 1 })}
    </span>
  );
  return (
    <div className="@container/sums">
      <h2 id="requests" className="sr-only">
        {t("requests")}
      </h2>
      <div className="flex items-center justify-end">
        {total === "unknown" ? null : (
          <dl
            aria-label={t("totals.label")}
            className="min-w-0 flex-1 grid grid-cols-2 gap-x-6 gap-y-1.5 px-4 py-3 @lg/sums:grid-cols-3 @4xl/sums:flex @4xl/sums:h-11 @4xl/sums:items-center @4xl/sums:justify-between @4xl/sums:gap-x-4 @4xl/sums:py-0"
          >
            <Sum name={t("totals.requests")}>{total && number(total.requests)}</Sum>
            <Sum name={t("totals.settled")}>{total && number(total.settled)}</Sum>
            <Sum name={t("totals.released")}>{total && number(total.released)}</Sum>
            <Sum name={t("totals.tokens")}>
              {total && (
                <span className="num">
                  {short(total.inputTokens)} / {short(total.outputTokens)}
                </span>
              )}
            </Sum>
            <Sum name={t("totals.held")}>
              {total && <PointsText value={total.held} className="text-held-ink" />}
            </Sum>
            <Sum name={t("totals.charged")}>
              {total && <PointsText value={total.charged} form="exact" className="font-medium" />}
            </Sum>
          </dl>
        )}
        <div className="shrink-0 pr-2 @max-2xl/sums:hidden">{columns}</div>
      </div>
    </div>
  );
}

/** A name and its sum, in one line where there is room; a grey bar while it is loading. */
function Sum({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 text-sm @4xl/sums:flex @4xl/sums:items-baseline @4xl/sums:gap-1.5">
      <dt className="truncate text-muted text-xs">{name}</dt>
      <dd className="truncate">
        {children ?? (
          <span className="flex h-lh items-center">
            <Skeleton className="h-3.5 w-12" />
          </span>
        )}
      </dd>
    </div>
  );
}
