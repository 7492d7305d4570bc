"use client";

import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty, useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { call } from "@/lib/client/call";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { RequestError } from "@/lib/client/request-error";
import { signInStepEndpoints } from "@/lib/contract/sign-in-steps";
import { CancelSignIn } from "./cancel-sign-in";
import { PasskeyStep } from "./passkey-step";

/** The second step of a sign-in. */
export function StepForm({ callbackUrl }: { callbackUrl: string | null }) {
  const t = useTranslations("secondFactor");
  const usual = useFailureText();
  // A full page load, so that nothing rendered before sign-in is shown after it.
  const onDone = () =>
    window.location.assign(safeCallbackPath(callbackUrl, window.location.origin));
  const codeOf = (error: unknown) => (error instanceof RequestError ? error.code : null);
  const form = useServerForm({
    start: { code: "" },
    problemsOf: ({ code }) => ({ code: ifEmpty(code, t("codeMissing")) }),
    send: ({ code }) => call(signInStepEndpoints.completeWithCode, { body: { code: code.trim() } }),
    onDone,
    failureText: (error) =>
      codeOf(error) === "wrong_credentials"
        ? t("codeWrong")
        : codeOf(error) === "sign_in_required"
          ? t("stepOver")
          : usual(error),
    leavesPage: true,
  });
  return (
    <div className="grid gap-4">
      <Form form={form}>
        <FormFailure text={form.failure} />
        <TextField
          label={t("stepCode")}
          hint={t("stepCodeHint")}
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoFocus
          maxLength={40}
          {...form.field("code")}
        />
        <Button type="submit" look="go" size="large" isBusy={form.isBusy}>
          {t("stepGo")}
        </Button>
      </Form>
      <PasskeyStep onDone={onDone} />
      <CancelSignIn />
    </div>
  );
}
