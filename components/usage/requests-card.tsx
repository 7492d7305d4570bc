"use client";

import { useSearchParams } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { EntryColumns, EntryRow } from "@/components/requests/entry-row";
import { Figure } from "@/components/ui/figure";
import { PointsText } from "@/components/ui/points-text";
import { useUsage } from "@/lib/client/usage";
import type { UsageFilterView, UsageSum } from "@/lib/contract/usage";

/** Links to a request's details and keeps the page's filter. */
function useDetailHref(): (id: string) => string {
  const search = useSearchParams();
  return (id) => {
    const next = new URLSearchParams(search);
    next.set("request", id);
    return `/usage?${next}`;
  };
}

/** The requests of the filter, and the sums over all of them, not only those shown. */
export function RequestsCard({
  filter,
  total,
}: {
  filter: UsageFilterView | null;
  total: UsageSum | "unknown" | undefined;
}) {
  const t = useTranslations("usage");
  const hrefOf = useDetailHref();
  const query = useUsage(filter);
  const requests = query.data?.pages.flatMap((page) => page.requests) ?? [];
  return (
    <ListCard
      id="requests"
      title={t("requests")}
      note={t("requestsNote")}
      query={query}
      empty={t("empty")}
      columns={<EntryColumns />}
      rows={requests.map((entry) => (
        <EntryRow key={entry.id} entry={entry} href={hrefOf(entry.id)} />
      ))}
      foot={<p className="border-t px-5 py-3.5 text-muted text-sm">{t("notKept")}</p>}
    >
      <Totals total={total} />
    </ListCard>
  );
}

/** `unknown`: the sums failed to load; the card above says why. */
function Totals({ total }: { total: UsageSum | "unknown" | undefined }) {
  const t = useTranslations("usage.totals");
  const format = useFormatter();
  if (total === "unknown") return null;
  const number = (value: number) => <span className="num">{format.number(value)}</span>;
  return (
    <dl
      aria-label={t("label")}
      className="grid grid-cols-2 gap-x-6 gap-y-3 border-t bg-wash/60 px-5 py-3.5 sm:grid-cols-3 lg:grid-cols-6"
    >
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
      <Figure name={t("held")}>
        {total && <PointsText value={total.held} className="text-held-ink" />}
      </Figure>
      <Figure name={t("charged")}>
        {total && <PointsText value={total.charged} form="exact" className="font-medium" />}
      </Figure>
    </dl>
  );
}
