import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DenseCard } from "@/components/lists/dense-card";
import type { Pages } from "@/components/lists/list-frame";
import { Segmented } from "@/components/ui/segmented";
import { useSorted } from "@/components/ui/use-sorted";
import { useMay } from "@/lib/client/shown-account";
import type { EntryView } from "@/lib/contract/entries";
import { type HistoryKind, historyKinds } from "@/lib/contract/states";
import { entryCells, entryLayout, entryValues, useEntryColumns } from "./entry-cells";
import { KeyName } from "./key-name";
import { useArchivedMonths } from "./use-archived-months";

interface EntryPages extends Pages {
  data:
    | { pages: readonly { entries: readonly EntryView[]; archived: readonly string[] }[] }
    | undefined;
}

interface EntriesListProps {
  id: string;
  query: EntryPages;
  kind: HistoryKind;
  onKind: (kind: HistoryKind) => void;
  /** Further filters, above the rows. */
  filters?: ReactNode;
  isFiltered?: boolean;
  /** The link to a request's details; by default on the usage page. */
  hrefOf?: (id: string) => string;
  className?: string;
}

const onOwnPage = (id: string) => `/requests/${id}`;

/** An account's history: its requests and its credits. */
export function EntriesList({
  id,
  query,
  kind,
  onKind,
  filters,
  isFiltered = false,
  hrefOf = onOwnPage,
  className,
}: EntriesListProps) {
  const t = useTranslations("entries");
  const readsUsage = useMay("readUsage");
  const loaded = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const { rows: entries, sort } = useSorted(loaded, entryValues, !query.hasNextPage);
  const months = useArchivedMonths(query.data?.pages.flatMap((page) => page.archived));
  const archived = months === null ? null : t("archived", { months });
  return (
    <DenseCard
      id={id}
      className={className}
      title={t("title")}
      note={t("note")}
      aside={
        <Segmented
          label={t("filter")}
          value={kind}
          onChange={onKind}
          options={historyKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
      }
      query={query}
      empty={
        archived ?? t(kind === "credits" ? "emptyCredits" : isFiltered ? "emptyFiltered" : "empty")
      }
      columns={useEntryColumns([{ name: t("key"), place: "wide" }], sort)}
      layout={entryLayout}
      rows={entries.map((entry) => ({
        id: entry.id,
        ...(entry.request && readsUsage ? { href: hrefOf(entry.id) } : {}),
        cells: entryCells(entry, [<KeyName key="key" request={entry.request} />]),
      }))}
      foot={
        archived === null || entries.length === 0 ? null : (
          <p className="border-t px-4 py-3 text-xs">{archived}</p>
        )
      }
    >
      {filters}
    </DenseCard>
  );
}
