"use client";

import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { MorePages } from "@/components/shell/more-pages";
import { QueryFailure } from "@/components/shell/query-failure";
import { Card, CardHead } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead, Table, TableBody, TableHead } from "@/components/ui/table";
import { type EntryKind, useEntries } from "@/lib/client/entries";
import { historyKinds } from "@/lib/contract/states";
import { EntryRow } from "./entry-row";

/** The filter stands in the address, so that it can be shared and the back button knows it. */
function useKind(): [EntryKind, (kind: EntryKind) => void] {
  const search = useSearchParams();
  const kind = historyKinds.find((each) => each === search.get("kind")) ?? "all";
  const change = (next: EntryKind) => {
    const address = new URL(window.location.href);
    if (next === "all") address.searchParams.delete("kind");
    else address.searchParams.set("kind", next);
    window.history.pushState(null, "", address);
  };
  return [kind, change];
}

export function EntriesCard() {
  const t = useTranslations("entries");
  const [kind, setKind] = useKind();
  const query = useEntries(kind);
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Card aria-labelledby="entries" className="mt-3.5">
      <CardHead id="entries" title={t("title")} note={t("note")}>
        <Segmented
          label={t("filter")}
          value={kind}
          onChange={setKind}
          options={historyKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
      </CardHead>
      {query.error && !query.data ? (
        <div className="px-5 pb-5">
          <QueryFailure error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : null}
      {query.isPending ? <EntriesSkeleton /> : null}
      {query.data && entries.length === 0 ? (
        <p className="border-t px-5 py-10 text-center text-muted">{kind === "credits" ? t("emptyCredits") : t("empty")}</p>
      ) : null}
      {entries.length > 0 ? (
        <Table labelledBy="entries">
          <TableHead>
            <ColumnHead className="w-58">{t("what")}</ColumnHead>
            <ColumnHead>{t("line")}</ColumnHead>
            <ColumnHead isNumber>{t("amount")}</ColumnHead>
          </TableHead>
          <TableBody>
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </TableBody>
        </Table>
      ) : null}
      <MorePages query={query} />
    </Card>
  );
}

export function EntriesSkeleton() {
  return (
    <div className="border-t">
      {["first", "second", "third"].map((row) => (
        <div key={row} className="flex items-center gap-8 border-b px-5 py-5 last:border-b-0">
          <Skeleton className="h-8 w-36" />
          <Skeleton className="h-8 flex-1" />
          <Skeleton className="h-4 w-24" />
        </div>
      ))}
    </div>
  );
}
