"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { showToast } from "@/components/ui/toast";
import { changePassword, meQuery } from "@/lib/client/account";

const PASSWORD_LENGTH_MIN = 10;

interface PasswordInputs {
  currentPassword: string;
  newPassword: string;
}

/** Changes the password, or sets the first one; every other session ends. */
export function PasswordForm({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const t = useTranslations("settings");
  const auth = useTranslations("auth");
  const failureText = useFailureText();
  const [failure, setFailure] = useState<string | null>(null);
  const client = useQueryClient();
  const { register, handleSubmit, formState, reset } = useForm<PasswordInputs>();
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ currentPassword, newPassword }) => {
    setFailure(null);
    try {
      await changePassword(hasPassword ? { currentPassword, newPassword } : { newPassword });
      reset();
      showToast(t("passwordChanged"));
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
    } catch (error) {
      setFailure(failureText(error));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid max-w-sm gap-4">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {failure ? <Notice tone="bad">{failure}</Notice> : null}
      {hasPassword ? (
        <Field label={t("currentPassword")} error={errors.currentPassword && auth("problems.passwordMissing")}>
          {(control) => <PasswordInput {...control} autoComplete="current-password" {...register("currentPassword", { required: true })} />}
        </Field>
      ) : null}
      <Field
        label={t("newPassword")}
        hint={auth("passwordHint", { count: PASSWORD_LENGTH_MIN })}
        error={errors.newPassword && auth("problems.password", { count: PASSWORD_LENGTH_MIN })}
      >
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="new-password"
            {...register("newPassword", { required: true, minLength: PASSWORD_LENGTH_MIN, maxLength: 200 })}
          />
        )}
      </Field>
      <Button type="submit" look="go" isBusy={isSubmitting} className="justify-self-start">
        {hasPassword ? t("changePassword") : t("setPassword")}
      </Button>
    </form>
  );
}
