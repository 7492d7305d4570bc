"use client";

import { useTranslations } from "next-intl";
import { DialogForm } from "@/components/forms/dialog-form";
import { expiryOf } from "@/components/forms/expiry-of";
import { ScopeChoice } from "@/components/forms/scope-choice";
import { SelectField, TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { useCreateOperatorKey } from "@/lib/client/operator-keys";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";
import { type OperatorScope, operatorScopes } from "@/lib/contract/states";
import { useOperatorForm } from "../use-operator-form";
import { Options } from "@/components/ui/input";

const expiryDays = ["90", "30", "365", "never"] as const;
const noScopes: OperatorScope[] = [];

interface CreateFormProps {
  onCreated: (secret: string) => void;
  onCancel: () => void;
}

export function CreateOperatorKeyForm({ onCreated, onCancel }: CreateFormProps) {
  const t = useTranslations("operator.keys");
  const create = useCreateOperatorKey();
  const form = useOperatorForm({
    start: { name: "", scopes: noScopes, expiresAt: "90" },
    problemsOf: ({ name, scopes }) => ({
      name: ifEmpty(name, t("nameProblem")),
      scopes: scopes.length === 0 ? t("scopesProblem") : undefined,
    }),
    send: ({ name, scopes, expiresAt }) =>
      create.mutateAsync({ name: name.trim(), scopes, expiresAt: expiryOf(expiresAt) }),
    onDone: ({ secret }) => onCreated(secret),
  });
  return (
    <DialogForm form={form} go={t("create")} onCancel={onCancel}>
      <TextField label={t("name")} maxLength={NAME_LENGTH_MAX} {...form.field("name")} />
      <ScopeChoice
        legend={t("scopes")}
        all={operatorScopes}
        nameOf={(scope) => t(`scopeNames.${scope}`)}
        scopes={form.watch().scopes}
        onChange={(scopes) => form.change({ scopes })}
        error={form.errorOf("scopes")}
      />
      <SelectField label={t("expires")} {...form.field("expiresAt")}>
        <Options of={expiryDays} name={(days) => t(`expiry.${days}`)} />
      </SelectField>
    </DialogForm>
  );
}
