import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import { useNameAccount } from "@/lib/client/members";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";

export function AccountNameForm({ name }: { name: string | null }) {
  const t = useTranslations("members");
  const change = useNameAccount();
  const form = useServerForm({
    start: { name: name ?? "" },
    send: (given) => change.mutateAsync(given.name.trim()),
    onDone: () => showToast(t("named")),
  });
  return (
    <Form form={form} className="grid max-w-sm gap-3">
      <TextField
        label={t("accountName")}
        hint={t("accountNameHint")}
        maxLength={NAME_LENGTH_MAX}
        {...form.field("name")}
      />
      <FormFailure text={form.failure} />
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          {t("saveName")}
        </Button>
      </div>
    </Form>
  );
}
