"use client";

import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";
import { call } from "@/lib/client/call";
import { answerProof, useIsProofAsked } from "@/lib/client/proof";
import { settingsEndpoints } from "@/lib/contract/settings";
import { DialogForm } from "./dialog-form";
import { PasswordField } from "./text-field";
import { useServerForm } from "./use-server-form";

/** Asks for the password again whenever the server requires a recent one. */
export function ProofDialog({ hasPassword }: { hasPassword: boolean }) {
  const t = useTranslations("proof");
  const isAsked = useIsProofAsked();
  return (
    <Dialog
      isOpen={isAsked}
      onOpenChange={() => answerProof(false)}
      title={t("title")}
      description={t(hasPassword ? "note" : "signInAgain")}
    >
      {hasPassword ? <ProofForm /> : null}
    </Dialog>
  );
}

function ProofForm() {
  const t = useTranslations("proof");
  const form = useServerForm({
    start: { password: "" },
    problemsOf: ({ password }) => ({ password: password === "" ? t("missing") : undefined }),
    send: ({ password }) => call(settingsEndpoints.provePassword, { body: { password } }),
    onDone: () => answerProof(true),
    fieldOf: () => "password",
  });
  return (
    <DialogForm form={form} go={t("go")} onCancel={() => answerProof(false)}>
      <PasswordField
        label={t("password")}
        autoComplete="current-password"
        autoFocus
        {...form.field("password")}
      />
    </DialogForm>
  );
}
