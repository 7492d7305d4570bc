"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { After } from "@/components/ui/after";
import { ForRole, RoleNote } from "@/components/ui/for-role";
import { PageHead } from "@/components/ui/page-head";
import { useKeys } from "@/lib/client/api-keys";
import { KeysCard } from "./keys-card";

interface KeysViewProps {
  baseUrl: string;
  managementKeys: ReactNode;
}

/** The account's API keys with their budgets, and its management keys. */
export function KeysView({ baseUrl, managementKeys }: KeysViewProps) {
  const t = useTranslations("keys");
  const query = useKeys();
  return (
    <>
      <PageHead title={t("title")} note={t("pageNote")} />
      <RoleNote />
      <KeysCard baseUrl={baseUrl} />
      <ForRole needs="manageByApi">
        <After of={[query]}>{managementKeys}</After>
      </ForRole>
    </>
  );
}
