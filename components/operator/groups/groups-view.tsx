"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { ColumnHead, HiddenHead, NumberHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { groupsQuery } from "@/lib/client/operator-groups";
import type { GroupView } from "@/lib/contract/operator-groups";
import { DeleteGroupDialog } from "./delete-group-dialog";
import { GroupDialog } from "./group-dialog";
import { GroupRow } from "./group-row";

/** The groups of accounts, with their multipliers and the models that they see. */
export function GroupsView() {
  const t = useTranslations("operator.groups");
  const query = useQuery(groupsQuery);
  const { rows, sort } = useSorted(query.data?.groups ?? [], {
    name: ({ name }) => name,
    multiplier: ({ multiplier }) => Number(multiplier ?? 1),
    accounts: ({ members }) => members,
  });
  const [edited, setEdited] = useState<GroupView | "new" | null>(null);
  const [deleted, setDeleted] = useState<GroupView | null>(null);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button look="go" onClick={() => setEdited("new")}>
          {t("add")}
        </Button>
      </PageHead>
      <ListCard
        id="groups"
        title={t("list")}
        isPageTitle
        note={t("listNote")}
        query={query}
        empty={t("empty")}
        columns={
          <>
            <ColumnHead {...sort("name")}>{t("name")}</ColumnHead>
            <NumberHead {...sort("multiplier")}>{t("multiplier")}</NumberHead>
            <ColumnHead>{t("models")}</ColumnHead>
            <NumberHead {...sort("accounts")}>{t("accounts")}</NumberHead>
            <HiddenHead>{t("change")}</HiddenHead>
          </>
        }
        rows={rows.map((group) => (
          <GroupRow
            key={group.id}
            group={group}
            onChange={() => setEdited(group)}
            onDelete={() => setDeleted(group)}
          />
        ))}
      />
      {edited ? (
        <GroupDialog before={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
      {deleted ? <DeleteGroupDialog group={deleted} onClose={() => setDeleted(null)} /> : null}
    </>
  );
}
