"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { signIn } from "@/lib/client/sign-in";
import { type SignInFailure, signInFailure } from "@/lib/client/sign-in-failure";

interface LoginInput {
  email: string;
  password: string;
}

export function LoginForm({ callbackUrl, initialFailure }: { callbackUrl: string | null; initialFailure: string | null }) {
  const t = useTranslations("auth");
  const [failure, setFailure] = useState<SignInFailure | null>(initialFailure ? signInFailure(initialFailure) : null);
  const { register, handleSubmit, formState, setFocus } = useForm<LoginInput>();
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  const submit = handleSubmit(async ({ email, password }) => {
    setFailure(null);
    const outcome = await signIn("credentials", { email: email.trim(), password, redirect: false }).catch(() => null);
    if (outcome?.ok && !outcome.error) {
      // A full load: what was rendered for nobody must not be shown to somebody.
      window.location.assign(safeCallbackPath(callbackUrl, window.location.origin));
      return;
    }
    setFailure(outcome ? signInFailure(outcome.error ?? "") : { code: "offline", minutes: null });
    setFocus("password");
    throw new Error("sign-in refused");
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event).catch(() => undefined)} className="grid gap-4">
      {failure ? <Notice tone="bad">{t(`failures.${failure.code}`, { minutes: failure.minutes ?? 15 })}</Notice> : null}
      <Field label={t("email")} error={errors.email && t("problems.email")}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            {...register("email", { required: true, pattern: /^[^\s@]+@[^\s@]+$/ })}
          />
        )}
      </Field>
      <Field label={t("password")} error={errors.password && t("problems.passwordMissing")}>
        {(control) => <PasswordInput {...control} autoComplete="current-password" {...register("password", { required: true })} />}
      </Field>
      <Button type="submit" look="go" size="large" isBusy={isSubmitting || isSubmitSuccessful} className="mt-1">
        {t("signIn")}
      </Button>
    </form>
  );
}
