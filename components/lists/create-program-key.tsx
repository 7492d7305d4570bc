import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogForm } from "@/components/forms/dialog-form";
import { expiryOf } from "@/components/forms/expiry-of";
import { ScopeChoice } from "@/components/forms/scope-choice";
import { SelectField, TextField } from "@/components/forms/text-field";
import { ifEmpty, type ServerFormOptions, useServerForm } from "@/components/forms/use-server-form";
import { Dialog } from "@/components/ui/dialog";
import { Options } from "@/components/ui/input";
import { ShownOnce } from "@/components/ui/shown-once";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";
import type { ProgramKeyTexts } from "./program-key-row";

const expiries = ["never", "30", "90", "365"] as const;

interface Wanted<Scope> {
  name: string;
  scopes: Scope[];
  expiresAt: string | null;
}

interface CreateProps<Scope extends string> {
  texts: ProgramKeyTexts;
  all: readonly Scope[];
  nameOf: (scope: Scope) => string;
  /** The one that is chosen at first. */
  expiry: (typeof expiries)[number];
  create: (wanted: Wanted<Scope>) => Promise<{ secret: string }>;
  /** How the form says what was refused. */
  failures: Pick<ServerFormOptions<never, never>, "failureText" | "context">;
  onClose: () => void;
}

/** Asks for name and scopes, then shows the new key once. Render it only while it is open. */
export function CreateProgramKey<Scope extends string>(props: CreateProps<Scope>) {
  const { texts, onClose } = props;
  const t = useTranslations(texts);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={secret ? t("revealTitle") : t("create")}
      description={secret ? t("revealNote") : t("createNote")}
      isDismissible={secret === null}
      className="sm:w-[min(42rem,calc(100vw-2rem))]"
    >
      {secret ? (
        <ShownOnce label={t("yourKey")} secret={secret} saved={t("saved")} onSaved={onClose} />
      ) : (
        <CreateForm {...props} onCreated={setSecret} />
      )}
    </Dialog>
  );
}

function CreateForm<Scope extends string>({
  texts,
  all,
  nameOf,
  expiry,
  create,
  failures,
  onClose,
  onCreated,
}: CreateProps<Scope> & { onCreated: (secret: string) => void }) {
  const t = useTranslations(texts);
  const none: Scope[] = [];
  const form = useServerForm({
    start: { name: "", scopes: none, expiresAt: String(expiry) },
    problemsOf: ({ name, scopes }) => ({
      name: ifEmpty(name, t("nameProblem")),
      scopes: scopes.length === 0 ? t("scopesProblem") : undefined,
    }),
    send: ({ name, scopes, expiresAt }) =>
      create({ name: name.trim(), scopes, expiresAt: expiryOf(expiresAt) }),
    onDone: ({ secret }) => onCreated(secret),
    ...failures,
  });
  return (
    <DialogForm form={form} go={t("create")} onCancel={onClose}>
      <TextField label={t("name")} maxLength={NAME_LENGTH_MAX} {...form.field("name")} />
      <ScopeChoice
        legend={t("scopes")}
        all={all}
        nameOf={nameOf}
        scopes={form.watch().scopes}
        onChange={(scopes) => form.change({ scopes })}
        error={form.errorOf("scopes")}
      />
      <SelectField label={t("expires")} {...form.field("expiresAt")}>
        <Options of={expiries} name={(days) => t(`expiry.${days}`)} />
      </SelectField>
    </DialogForm>
  );
}
