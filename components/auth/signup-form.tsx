"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { RequestError } from "@/lib/client/request-error";
import { signIn } from "@/lib/client/sign-in";

const PASSWORD_LENGTH_MIN = 10;
const PASSWORD_LENGTH_MAX = 200;

interface SignupInput {
  email: string;
  password: string;
}

export function SignupForm({ callbackUrl, invite }: { callbackUrl: string | null; invite?: string }) {
  const t = useTranslations("auth");
  const failureText = useFailureText();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<SignupInput>();
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  const refuse = (error: unknown) => {
    const field = error instanceof RequestError ? error.param : null;
    if (error instanceof RequestError && error.code === "wrong_credentials")
      setError("email", { message: t("problems.taken") }, { shouldFocus: true });
    else if (field === "email" || field === "password") setError(field, { message: failureText(error) }, { shouldFocus: true });
    else setFailure(failureText(error));
  };
  const submit = handleSubmit(async ({ email, password }) => {
    setFailure(null);
    try {
      // The schemas that check the answer are not needed before.
      const { signUp } = await import("@/lib/client/account");
      await signUp({ email: email.trim(), password, invite });
    } catch (error) {
      refuse(error);
      throw error;
    }
    const outcome = await signIn("credentials", { email: email.trim(), password, redirect: false }).catch(() => null);
    const isSignedIn = outcome?.ok && !outcome.error;
    window.location.assign(isSignedIn ? safeCallbackPath(callbackUrl, window.location.origin) : "/login");
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event).catch(() => undefined)} className="grid gap-4">
      {failure ? <Notice tone="bad">{failure}</Notice> : null}
      <Field label={t("email")} error={errors.email && (errors.email.message || t("problems.email"))}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            maxLength={254}
            {...register("email", { required: true, pattern: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/ })}
          />
        )}
      </Field>
      <Field
        label={t("password")}
        hint={t("passwordHint", { count: PASSWORD_LENGTH_MIN })}
        error={errors.password && (errors.password.message || t("problems.password", { count: PASSWORD_LENGTH_MIN }))}
      >
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="new-password"
            {...register("password", { required: true, minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX })}
          />
        )}
      </Field>
      <Button type="submit" look="go" size="large" isBusy={isSubmitting || isSubmitSuccessful} className="mt-1">
        {t("createAccount")}
      </Button>
    </form>
  );
}
