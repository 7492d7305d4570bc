"use client";

import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { PasswordField, TextField } from "@/components/forms/text-field";
import { fieldNamedBy, useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { RequestError } from "@/lib/client/request-error";
import { signIn } from "@/lib/client/sign-in";
import { isMailAddress } from "@/lib/contract/email-shape";
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@/lib/contract/limits";
import { HumanCheckStatus, useHumanCheck } from "./human-check";

const isTaken = (error: unknown) =>
  error instanceof RequestError && error.code === "wrong_credentials";

interface SignupFormProps {
  callbackUrl: string | null;
  invite?: string;
}

export function SignupForm({ callbackUrl, invite }: SignupFormProps) {
  const t = useTranslations("auth");
  const failureText = useFailureText();
  const check = useHumanCheck();
  const form = useServerForm({
    start: { email: "", password: "" },
    problemsOf: ({ email, password: { length } }) => ({
      email: isMailAddress(email) ? undefined : t("problems.email"),
      password:
        length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX
          ? t("problems.password", { count: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX })
          : undefined,
    }),
    send: async ({ email, password }) => {
      // Loaded on submit: the schemas that parse the answer are not needed before.
      const { signUp } = await import("@/lib/client/account");
      await signUp({ email: email.trim(), password, invite, humanCheck: await check.pass() });
      return signIn("credentials", { email: email.trim(), password, redirect: false }).catch(
        () => null,
      );
    },
    onDone: (outcome) => {
      const isSignedIn = outcome?.ok && !outcome.error;
      window.location.assign(
        isSignedIn ? safeCallbackPath(callbackUrl, window.location.origin) : "/login",
      );
    },
    failureText: (error) => (isTaken(error) ? t("problems.taken") : failureText(error)),
    fieldOf: (error) => (isTaken(error) ? "email" : fieldNamedBy(error)),
    leavesPage: true,
  });
  return (
    <Form form={form}>
      <FormFailure text={form.failure} />
      <TextField
        label={t("email")}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        maxLength={EMAIL_LENGTH_MAX}
        {...form.field("email")}
      />
      <PasswordField
        label={t("password")}
        hint={t("passwordHint", { count: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX })}
        autoComplete="new-password"
        {...form.field("password")}
      />
      <div>
        <Button type="submit" look="go" size="large" isBusy={form.isBusy} className="mt-1 w-full">
          {t("createAccount")}
        </Button>
        <HumanCheckStatus share={check.share} />
      </div>
    </Form>
  );
}
