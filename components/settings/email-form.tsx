import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { SupportContact } from "@/components/ui/support-contact";
import { requestEmail } from "@/lib/client/recovery";
import { isMailAddress } from "@/lib/contract/email-shape";
import { EMAIL_LENGTH_MAX } from "@/lib/contract/limits";
import type { Help } from "./help";

/** Asks for another address, which replaces the present one when it is confirmed. */
export function EmailForm({ email, help }: { email: string; help: Help }) {
  const t = useTranslations("settings");
  const problems = useTranslations("auth.problems");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useServerForm({
    start: { email: "" },
    problemsOf: ({ email: next }) => ({
      email: isMailAddress(next.trim()) ? undefined : problems("email"),
    }),
    send: ({ email: next }) => requestEmail(next.trim()),
    onDone: (_, { email: next }) => {
      form.clear();
      setSentTo(next.trim());
    },
  });
  const now = <p className="wrap-anywhere text-sm">{t("emailNow", { email })}</p>;
  if (!help.hasMail) {
    return (
      <div className="grid max-w-sm gap-3 self-start">
        {now}
        <p className="text-muted text-sm">
          {t.rich("emailAsk", { contact: () => <SupportContact contact={help.contact} /> })}
        </p>
      </div>
    );
  }
  return (
    <Form form={form} className="max-w-sm">
      {now}
      {sentTo ? <Notice tone="ok">{t("emailSent", { email: sentTo })}</Notice> : null}
      <TextField
        label={t("newEmail")}
        hint={t("newEmailHint")}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        maxLength={EMAIL_LENGTH_MAX}
        {...form.field("email")}
      />
      <FormFailure text={form.failure} />
      <Button type="submit" isBusy={form.isBusy} className="justify-self-start">
        {t("changeEmail")}
      </Button>
    </Form>
  );
}
