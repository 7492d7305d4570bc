"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, Row } from "@/components/ui/table";
import type { ManagementKeyView } from "@/lib/contract/management-keys";
import { RevokeManagementKeyDialog } from "./revoke-management-key-dialog";

export function ManagementKeyRow({ managementKey }: { managementKey: ManagementKeyView }) {
  const t = useTranslations("managementKeys");
  const [isRevoking, setIsRevoking] = useState(false);
  const { name, hint, scopes, lastUsedAt, status } = managementKey;
  const isActive = status === "active";
  return (
    <Row className={cn(!isActive && "text-muted")}>
      <Cell className="max-w-60 cards:max-w-none cards:pb-1">
        <span className="wrap-anywhere font-medium">{name}</span>
      </Cell>
      <Cell label={t("key")}>
        <code className="whitespace-nowrap text-sm">{hint}</code>
      </Cell>
      <Cell label={t("scopes")} className="text-muted text-sm">
        <span className="cards:text-right">
          {scopes.map((scope) => t(`scopeNames.${scope}`)).join(" · ")}
        </span>
      </Cell>
      <Cell label={t("lastUsed")} className="text-muted text-sm">
        {lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t("never")}
      </Cell>
      <Cell label={t("status")}>
        <Pill tone={isActive ? "ok" : "plain"}>{t(`statuses.${status}`)}</Pill>
      </Cell>
      <Cell className="cards:pt-2 rows:text-right">
        {isActive ? (
          <Button aria-label={t("revokeOne", { name })} onClick={() => setIsRevoking(true)}>
            {t("revoke")}
          </Button>
        ) : null}
        {isRevoking ? (
          <RevokeManagementKeyDialog
            managementKey={managementKey}
            onClose={() => setIsRevoking(false)}
          />
        ) : null}
      </Cell>
    </Row>
  );
}
