"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { isMailAddress } from "@/lib/contract/email-shape";
import { EMAIL_LENGTH_MAX } from "@/lib/contract/limits";

/** Requests the mail with which to set a new password. The answer is the same for any address. */
export function ForgotForm() {
  const t = useTranslations("auth");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useServerForm({
    start: { email: "" },
    problemsOf: ({ email }) => ({
      email: isMailAddress(email.trim()) ? undefined : t("problems.email"),
    }),
    send: async ({ email }) => {
      const { forgotPassword } = await import("@/lib/client/recovery");
      return forgotPassword(email.trim());
    },
    onDone: (_, { email }) => setSentTo(email.trim()),
  });
  if (sentTo !== null) return <Notice tone="ok">{t("forgotSent", { email: sentTo })}</Notice>;
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
      <Button type="submit" look="go" size="large" isBusy={form.isBusy} className="mt-1">
        {t("sendResetLink")}
      </Button>
    </Form>
  );
}
