"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Segmented } from "@/components/ui/segmented";
import { ColumnHead } from "@/components/ui/table";
import { EntryRow } from "@/components/usage/entry-row";
import { useAccountEntries } from "@/lib/client/operator-lists";
import { historyKinds } from "@/lib/contract/states";
import { ListCard } from "./list-card";

/** The account's whole history, as its people see it; a request leads to its details. */
export function AccountEntries({ id }: { id: string }) {
  const t = useTranslations("entries");
  const [kind, setKind] = useState<(typeof historyKinds)[number]>("all");
  const query = useAccountEntries(id, kind);
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <ListCard
      id="account-entries"
      title={t("title")}
      note={t("note")}
      aside={
        <Segmented
          label={t("filter")}
          value={kind}
          onChange={setKind}
          options={historyKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
      }
      query={query}
      empty={t(kind === "credits" ? "emptyCredits" : "empty")}
      columns={
        <>
          <ColumnHead className="w-58">{t("what")}</ColumnHead>
          <ColumnHead>{t("line")}</ColumnHead>
          <ColumnHead isNumber>{t("amount")}</ColumnHead>
        </>
      }
      rows={entries.map((entry) => <EntryRow key={entry.id} entry={entry} href={`/admin/requests?request=${entry.id}`} />)}
    />
  );
}
