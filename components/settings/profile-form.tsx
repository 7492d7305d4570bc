import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import { useChangeName } from "@/lib/client/settings";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";

export function ProfileForm({ name }: { name: string | null }) {
  const t = useTranslations("settings");
  const change = useChangeName();
  const router = useRouter();
  const form = useServerForm({
    start: { name: name ?? "" },
    send: (values) => change.mutateAsync(values.name.trim() || null),
    onDone: () => {
      showToast(t("nameSaved"));
      // The frame shows the name.
      router.refresh();
    },
  });
  return (
    <Form form={form} className="max-w-sm">
      <TextField
        label={t("name")}
        autoComplete="name"
        maxLength={NAME_LENGTH_MAX}
        {...form.field("name")}
      />
      <FormFailure text={form.failure} />
      <Button type="submit" isBusy={form.isBusy} className="justify-self-start">
        {t("saveName")}
      </Button>
    </Form>
  );
}
