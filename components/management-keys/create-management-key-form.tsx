"use client";

import { useTranslations } from "next-intl";
import { DialogForm } from "@/components/forms/dialog-form";
import { expiryOf } from "@/components/forms/expiry-of";
import { ScopeChoice } from "@/components/forms/scope-choice";
import { SelectField, TextField } from "@/components/forms/text-field";
import { ifEmpty, useServerForm } from "@/components/forms/use-server-form";
import { useCreateManagementKey } from "@/lib/client/management-keys";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";
import { type ManagementScope, managementScopes } from "@/lib/contract/states";
import { Options } from "@/components/ui/input";

const expiryDays = ["never", "30", "90", "365"] as const;
const noScopes: ManagementScope[] = [];

interface CreateFormProps {
  onCreated: (secret: string) => void;
  onCancel: () => void;
}

export function CreateManagementKeyForm({ onCreated, onCancel }: CreateFormProps) {
  const t = useTranslations("managementKeys");
  const create = useCreateManagementKey();
  const form = useServerForm({
    start: { name: "", scopes: noScopes, expiresAt: "never" },
    problemsOf: ({ name, scopes }) => ({
      name: ifEmpty(name, t("nameProblem")),
      scopes: scopes.length === 0 ? t("scopesProblem") : undefined,
    }),
    send: ({ name, scopes, expiresAt }) =>
      create.mutateAsync({ name: name.trim(), scopes, expiresAt: expiryOf(expiresAt) }),
    onDone: ({ secret }) => onCreated(secret),
    context: "key",
  });
  return (
    <DialogForm form={form} go={t("create")} onCancel={onCancel}>
      <TextField label={t("name")} maxLength={NAME_LENGTH_MAX} {...form.field("name")} />
      <ScopeChoice
        legend={t("scopes")}
        all={managementScopes}
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
