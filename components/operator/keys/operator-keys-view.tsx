"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead } from "@/components/ui/table";
import { operatorKeysQuery } from "@/lib/client/operator-keys";
import { CreateOperatorKeyDialog } from "./create-operator-key-dialog";
import { OperatorKeyRow } from "./operator-key-row";

/** The keys with which programs do what these pages do. */
export function OperatorKeysView() {
  const t = useTranslations("operator.keys");
  const query = useQuery(operatorKeysQuery);
  const [isCreating, setIsCreating] = useState(false);
  const keys = query.data?.keys ?? [];
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
            <ColumnHead>{t("name")}</ColumnHead>
            <ColumnHead>{t("key")}</ColumnHead>
            <ColumnHead>{t("scopes")}</ColumnHead>
            <ColumnHead>{t("madeBy")}</ColumnHead>
            <ColumnHead>{t("lastUsed")}</ColumnHead>
            <ColumnHead>{t("status")}</ColumnHead>
            <ColumnHead>
              <span className="sr-only">{t("actions")}</span>
            </ColumnHead>
          </>
        }
        rows={keys.map((key) => <OperatorKeyRow key={key.id} operatorKey={key} />)}
      />
      {isCreating ? <CreateOperatorKeyDialog onClose={() => setIsCreating(false)} /> : null}
    </>
  );
}
