import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty, useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import { renamePasskey, useFactorsChanged } from "@/lib/client/second-factor";
import { PASSKEY_NAME_LENGTH_MAX } from "@/lib/contract/limits";

interface RenamePasskeyProps {
  id: string;
  name: string;
  onDone: () => void;
}

export function RenamePasskey({ id, name, onDone }: RenamePasskeyProps) {
  const t = useTranslations("secondFactor");
  const changed = useFactorsChanged();
  const form = useServerForm({
    start: { name },
    problemsOf: (values) => ({ name: ifEmpty(values.name, t("nameMissing")) }),
    send: (values) => renamePasskey(id, values.name.trim()),
    onDone: async () => {
      await changed();
      showToast(t("renamed"));
      onDone();
    },
  });
  return (
    <li className="px-3.5 py-2.5">
      <Form form={form} className="max-w-sm">
        <TextField
          label={t("passkeyName")}
          autoFocus
          maxLength={PASSKEY_NAME_LENGTH_MAX}
          {...form.field("name")}
        />
        <FormFailure text={form.failure} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" size="small" isBusy={form.isBusy}>
            {t("save")}
          </Button>
          <Button size="small" onClick={onDone}>
            {t("cancel")}
          </Button>
        </div>
      </Form>
    </li>
  );
}
