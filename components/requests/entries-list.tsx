"use client";

import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Segmented } from "@/components/ui/segmented";
import type { EntryView } from "@/lib/contract/entries";
import { type HistoryKind, historyKinds } from "@/lib/contract/states";
import { EntryColumns, EntryRow } from "./entry-row";

type Pages = NonNullable<ComponentProps<typeof ListCard>["query"]> & {
  data: { pages: readonly { entries: readonly EntryView[] }[] } | undefined;
};

interface EntriesListProps {
  id: string;
  query: Pages;
  kind: HistoryKind;
  onKind: (kind: HistoryKind) => void;
  /** The link to a request's details; by default on the usage page. */
  hrefOf?: (id: string) => string;
  className?: string;
}

/** An account's history: its requests and its credits. */
export function EntriesList({ id, query, kind, onKind, hrefOf, className }: EntriesListProps) {
  const t = useTranslations("entries");
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <ListCard
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
      empty={t(kind === "credits" ? "emptyCredits" : "empty")}
      columns={<EntryColumns />}
      rows={entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} href={hrefOf?.(entry.id)} />
      ))}
    />
  );
}
