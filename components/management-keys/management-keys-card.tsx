"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CreateProgramKey } from "@/components/lists/create-program-key";
import { ProgramKeys } from "@/components/lists/program-keys";
import { Button } from "@/components/ui/button";
import {
  useCreateManagementKey,
  useManagementKeys,
  useRevokeManagementKey,
} from "@/lib/client/management-keys";
import { managementScopes } from "@/lib/contract/states";

/** The keys with which programs manage the account. */
export function ManagementKeysCard() {
  const t = useTranslations("managementKeys");
  const query = useManagementKeys();
  const create = useCreateManagementKey();
  const revoke = useRevokeManagementKey();
  const [isCreating, setIsCreating] = useState(false);
  const nameOf = (scope: (typeof managementScopes)[number]) => t(`scopeNames.${scope}`);
  return (
    <>
      <ProgramKeys
        id="management-keys"
        texts="managementKeys"
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
        keys={query.data?.keys ?? []}
        scopesOf={({ scopes }) => scopes.map(nameOf).join(" · ")}
        revoke={revoke.mutateAsync}
      />
      {isCreating ? (
        <CreateProgramKey
          texts="managementKeys"
          all={managementScopes}
          nameOf={nameOf}
          expiry="never"
          create={create.mutateAsync}
          failures={{ context: "key" }}
          onClose={() => setIsCreating(false)}
        />
      ) : null}
    </>
  );
}
