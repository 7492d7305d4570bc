"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { answerProof, useIsProofAsked } from "@/lib/client/proof";
import { request } from "@/lib/client/request";
import { proofResponse } from "@/lib/contract/settings";

/** Asks for the password once more, whenever the server wants to know that it is still the same person. */
export function ProofDialog({ hasPassword }: { hasPassword: boolean }) {
  const t = useTranslations("operator.proof");
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
  const t = useTranslations("operator.proof");
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const [password, setPassword] = useState("");
  const prove = useMutation({
    mutationFn: () => request("/api/proof", proofResponse, { method: "POST", body: { password } }),
    onSuccess: () => answerProof(true),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== "") prove.mutate();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Field label={t("password")} error={prove.error ? failureText(prove.error) : undefined}>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="current-password"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={() => answerProof(false)}>{ui("cancel")}</Button>
        <Button type="submit" look="go" isBusy={prove.isPending}>
          {t("go")}
        </Button>
      </DialogActions>
    </form>
  );
}
