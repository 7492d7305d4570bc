import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty, useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { later } from "@/components/ui/later";
import { Skeleton } from "@/components/ui/skeleton";
import { confirmTotp } from "@/lib/client/second-factor";

const QrCode = later(() => import("./qr-code").then((module) => module.QrCode), {
  waiting: <Skeleton className="size-44" />,
});

interface TotpSetupProps {
  secret: string;
  uri: string;
  onDone: (recoveryCodes: string[] | null) => void;
  onCancel: () => void;
}

/** The key for the app, and the code that confirms it. */
export function TotpSetup({ secret, uri, onDone, onCancel }: TotpSetupProps) {
  const t = useTranslations("secondFactor");
  const form = useServerForm({
    start: { code: "" },
    problemsOf: ({ code }) => ({ code: ifEmpty(code, t("codeMissing")) }),
    send: ({ code }) => confirmTotp(code.trim()),
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
    failureText: () => t("codeWrong"),
    fieldOf: () => "code",
  });
  return (
    <Form form={form} className="max-w-sm">
      <p className="text-muted text-sm">{t("scan")}</p>
      <QrCode text={uri} label={t("qr")} />
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-muted">{t("key")}</span>
        <code className="wrap-anywhere" data-testid="totp-key">
          {secret}
        </code>
        <CopyButton size="small" text={secret} what={t("key")} />
      </p>
      <TextField
        label={t("code")}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        maxLength={10}
        {...form.field("code")}
      />
      <FormFailure text={form.failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="go" isBusy={form.isBusy}>
          {t("confirm")}
        </Button>
        <Button onClick={onCancel}>{t("cancel")}</Button>
      </div>
    </Form>
  );
}
