"use client";

import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";
import { call } from "@/lib/client/call";
import { answerProof, useIsProofAsked } from "@/lib/client/proof";
import { settingsEndpoints } from "@/lib/contract/settings";
import { DialogForm } from "./dialog-form";
import { PasskeyProof } from "./passkey-proof";
import { PasswordField, TextField } from "./text-field";
import { fieldNamedBy, ifEmpty, useServerForm } from "./use-server-form";

export interface ProofDialogProps {
  hasPassword: boolean;
  hasSecondFactor: boolean;
}

/** Asks who is there whenever the server requires a recent proof. */
export function ProofDialog({ hasPassword, hasSecondFactor }: ProofDialogProps) {
  const t = useTranslations("proof");
  const isAsked = useIsProofAsked();
  return (
    <Dialog
      isOpen={isAsked}
      onClose={() => answerProof(false)}
      title={t("title")}
      description={t(hasPassword ? "note" : "signInAgain")}
    >
      {hasPassword ? <ProofForm hasSecondFactor={hasSecondFactor} /> : null}
      {hasSecondFactor && !hasPassword ? <PasskeyProof /> : null}
    </Dialog>
  );
}

function ProofForm({ hasSecondFactor }: Pick<ProofDialogProps, "hasSecondFactor">) {
  const t = useTranslations("proof");
  const form = useServerForm({
    start: { password: "", code: "" },
    problemsOf: ({ password, code }) => ({
      password: ifEmpty(password, t("missing")),
      code: hasSecondFactor ? ifEmpty(code, t("codeMissing")) : undefined,
    }),
    send: ({ password, code }) => {
      const body = hasSecondFactor ? { password, code: code.trim() } : { password };
      return call(settingsEndpoints.provePassword, { body });
    },
    onDone: () => answerProof(true),
    fieldOf: (error) => fieldNamedBy(error) ?? "password",
  });
  return (
    <DialogForm
      form={form}
      go={t("go")}
      onCancel={() => answerProof(false)}
      action={hasSecondFactor ? <PasskeyProof /> : null}
    >
      <PasswordField
        label={t("password")}
        autoComplete="current-password"
        autoFocus
        {...form.field("password")}
      />
      {hasSecondFactor ? (
        <TextField
          label={t("code")}
          hint={t("codeHint")}
          autoComplete="one-time-code"
          autoCapitalize="none"
          {...form.field("code")}
        />
      ) : null}
    </DialogForm>
  );
}
