"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead, HiddenHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { useManagementKeys } from "@/lib/client/management-keys";
import { CreateManagementKeyDialog } from "./create-management-key-dialog";
import { ManagementKeyRow } from "./management-key-row";

/** The keys with which programs manage the account. */
export function ManagementKeysCard() {
  const t = useTranslations("managementKeys");
  const query = useManagementKeys();
  const [isCreating, setIsCreating] = useState(false);
  const keys = query.data?.keys ?? [];
  const { rows, sort } = useSorted(keys, {
    name: ({ name }) => name,
    lastUsed: ({ lastUsedAt }) => lastUsedAt && Date.parse(lastUsedAt),
    status: ({ status }) => status,
  });
  return (
    <>
      <ListCard
        id="management-keys"
        isWide
        className="mt-3.5"
        title={t("title")}
        note={t("note")}
        aside={
          <Button onClick={() => setIsCreating(true)}>
            <Plus aria-hidden />
            {t("create")}
          </Button>
        }
        query={query}
        skeleton={<Skeleton className="mx-5 mb-5 h-4 w-60" />}
        empty={<p className="border-t px-5 py-4 text-muted">{t("empty")}</p>}
        columns={
          <>
            <ColumnHead {...sort("name")}>{t("name")}</ColumnHead>
            <ColumnHead>{t("key")}</ColumnHead>
            <ColumnHead>{t("scopes")}</ColumnHead>
            <ColumnHead {...sort("lastUsed")}>{t("lastUsed")}</ColumnHead>
            <ColumnHead {...sort("status")}>{t("status")}</ColumnHead>
            <HiddenHead>{t("actions")}</HiddenHead>
          </>
        }
        rows={rows.map((key) => <ManagementKeyRow key={key.id} managementKey={key} />)}
      />
      <CreateManagementKeyDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}
