"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CreateProgramKey } from "@/components/lists/create-program-key";
import { ProgramKeys } from "@/components/lists/program-keys";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import {
  operatorKeysQuery,
  useCreateOperatorKey,
  useRevokeOperatorKey,
} from "@/lib/client/operator-keys";
import { operatorScopes } from "@/lib/contract/states";
import { useOperatorFailureText } from "../operator-failure";

/** The keys with which programs do what these pages do. */
export function OperatorKeysView() {
  const t = useTranslations("operator.keys");
  const query = useQuery(operatorKeysQuery);
  const create = useCreateOperatorKey();
  const revoke = useRevokeOperatorKey();
  const failureText = useOperatorFailureText();
  const [isCreating, setIsCreating] = useState(false);
  const nameOf = (scope: (typeof operatorScopes)[number]) => t(`scopeNames.${scope}`);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button look="go" onClick={() => setIsCreating(true)}>
          {t("create")}
        </Button>
      </PageHead>
      <ProgramKeys
        id="operator-keys"
        texts="operator.keys"
        title={t("list")}
        note={t("listNote")}
        query={query}
        keys={query.data?.keys ?? []}
        makers={t("madeBy")}
        scopesOf={({ scopes }) => scopes.map(nameOf).join(" · ")}
        revoke={revoke.mutateAsync}
        failureText={failureText}
      />
      {isCreating ? (
        <CreateProgramKey
          texts="operator.keys"
          all={operatorScopes}
          nameOf={nameOf}
          expiry="90"
          create={create.mutateAsync}
          failures={{ failureText }}
          onClose={() => setIsCreating(false)}
        />
      ) : null}
    </>
  );
}
