"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead, HiddenHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { operatorKeysQuery } from "@/lib/client/operator-keys";
import { CreateOperatorKeyDialog } from "./create-operator-key-dialog";
import { OperatorKeyRow } from "./operator-key-row";

/** The keys with which programs do what these pages do. */
export function OperatorKeysView() {
  const t = useTranslations("operator.keys");
  const query = useQuery(operatorKeysQuery);
  const [isCreating, setIsCreating] = useState(false);
  const keys = query.data?.keys ?? [];
  const { rows, sort } = useSorted(keys, {
    name: ({ name }) => name,
    madeBy: ({ madeBy }) => madeBy,
    lastUsed: ({ lastUsedAt }) => lastUsedAt && Date.parse(lastUsedAt),
    status: ({ status }) => status,
  });
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button look="go" onClick={() => setIsCreating(true)}>
          {t("create")}
        </Button>
      </PageHead>
      <ListCard
        id="operator-keys"
        isWide
        title={t("list")}
        note={t("listNote")}
        query={query}
        skeleton={<Skeleton className="mx-5 mb-5 h-4 w-60" />}
        empty={<p className="border-t px-5 py-4 text-muted">{t("empty")}</p>}
        columns={
          <>
            <ColumnHead {...sort("name")}>{t("name")}</ColumnHead>
            <ColumnHead>{t("key")}</ColumnHead>
            <ColumnHead>{t("scopes")}</ColumnHead>
            <ColumnHead {...sort("madeBy")}>{t("madeBy")}</ColumnHead>
            <ColumnHead {...sort("lastUsed")}>{t("lastUsed")}</ColumnHead>
            <ColumnHead {...sort("status")}>{t("status")}</ColumnHead>
            <HiddenHead>{t("actions")}</HiddenHead>
          </>
        }
        rows={rows.map((key) => <OperatorKeyRow key={key.id} operatorKey={key} />)}
      />
      {isCreating ? <CreateOperatorKeyDialog onClose={() => setIsCreating(false)} /> : null}
    </>
  );
}
