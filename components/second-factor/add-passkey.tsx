import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty, useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { RequestError } from "@/lib/client/request-error";
import { addPasskey } from "@/lib/client/second-factor";
import { PASSKEY_NAME_LENGTH_MAX } from "@/lib/contract/limits";

interface AddPasskeyProps {
  onDone: (recoveryCodes: string[] | null) => void;
  onCancel?: () => void;
}

/** Names a new passkey; then the browser makes it. */
export function AddPasskey({ onDone, onCancel }: AddPasskeyProps) {
  const t = useTranslations("secondFactor");
  const usual = useFailureText();
  const form = useServerForm({
    start: { name: "" },
    problemsOf: ({ name }) => ({ name: ifEmpty(name, t("nameMissing")) }),
    send: ({ name }) => addPasskey(name.trim()),
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
    failureText: (error) => (error instanceof RequestError ? usual(error) : t("passkeyFailed")),
  });
  return (
    <Form form={form} className="max-w-sm">
      <TextField
        label={t("passkeyName")}
        hint={t("passkeyNameHint")}
        autoFocus
        maxLength={PASSKEY_NAME_LENGTH_MAX}
        {...form.field("name")}
      />
      <FormFailure text={form.failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="go" isBusy={form.isBusy}>
          {t("addPasskey")}
        </Button>
        {onCancel ? <Button onClick={onCancel}>{t("cancel")}</Button> : null}
      </div>
    </Form>
  );
}
