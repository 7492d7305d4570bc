"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form, FormFailure } from "@/components/forms/form";
import { PasswordField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@/lib/contract/limits";
import { LinkDone } from "./link-done";
import { useHiddenToken } from "./use-hidden-token";

/** Sets a new password with the token of a mailed link. Only sending it uses the link up. */
export function ResetForm({ token }: { token: string }) {
  const t = useTranslations("auth");
  const [isDone, setIsDone] = useState(false);
  useHiddenToken();
  const form = useServerForm({
    start: { newPassword: "" },
    problemsOf: ({ newPassword: { length } }) => ({
      newPassword:
        length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX
          ? t("problems.password", { count: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX })
          : undefined,
    }),
    send: async ({ newPassword }) => {
      const { resetPassword } = await import("@/lib/client/recovery");
      return resetPassword(token || "none", newPassword);
    },
    onDone: () => setIsDone(true),
  });
  if (isDone) return <LinkDone text={t("resetDone")} href="/login" go={t("signIn")} />;
  return (
    <Form form={form}>
      <FormFailure text={form.failure} />
      <PasswordField
        label={t("newPassword")}
        hint={t("passwordHint", { count: PASSWORD_LENGTH_MIN, max: PASSWORD_LENGTH_MAX })}
        autoComplete="new-password"
        autoFocus
        {...form.field("newPassword")}
      />
      <Button type="submit" look="go" size="large" isBusy={form.isBusy} className="mt-1">
        {t("setPassword")}
      </Button>
    </Form>
  );
}
