import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { showToast } from "@/components/ui/toast";
import { useChangeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/api-keys";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";
import { LimitsFields } from "./limits-fields";
import { limitsBody, limitsOf } from "./limits-form";
import { useLimitsForm } from "./use-limits-form";

interface ChangeLimitsDialogProps {
  apiKey: ApiKeyView;
  onClose: () => void;
}

export function ChangeLimitsDialog({ apiKey, onClose }: ChangeLimitsDialogProps) {
  const t = useTranslations("keys");
  const ui = useTranslations("ui");
  const change = useChangeKey(apiKey.id);
  const form = useLimitsForm({
    start: limitsOf(apiKey),
    send: (input) => {
      const body = limitsBody(input, Date.now());
      // The date field has days only. An expiry that was not changed keeps its time.
      const isExpiryKept =
        input.expiry === "date" && input.expiryDate === limitsOf(apiKey).expiryDate;
      return change.mutateAsync(isExpiryKept ? { ...body, expiresAt: apiKey.expiresAt } : body);
    },
    onDone: (_, { name }) => {
      onClose();
      showToast(t("changed", { name: name.trim() }));
    },
  });
  return (
    <FormDialog
      form={form}
      go={ui("save")}
      onClose={onClose}
      title={t("changeTitle")}
      note={t("changeNote")}
    >
      <TextField label={t("name")} maxLength={NAME_LENGTH_MAX} {...form.field("name")} />
      <LimitsFields form={form} />
    </FormDialog>
  );
}
