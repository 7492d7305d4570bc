import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { showToast } from "@/components/ui/toast";
import { useRevokeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/api-keys";

interface RevokeKeyDialogProps {
  apiKey: ApiKeyView;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const t = useTranslations("keys");
  const revoke = useRevokeKey();
  const form = useServerForm({
    start: { typed: "" },
    send: async () => {
      await revoke.mutateAsync(apiKey.id);
      // The dialog and its row may already be unmounted.
      showToast(t("revoked", { name: apiKey.name }));
    },
    onDone: onClose,
  });
  const isSure = form.watch().typed.trim() === apiKey.name.trim();
  return (
    <FormDialog
      form={form}
      go={t("revoke")}
      isDangerous
      isOff={!isSure}
      onClose={onClose}
      title={t("revokeTitle")}
      note={t("revokeNote", { hint: apiKey.hint })}
    >
      <TextField
        label={t.rich("typeName", { name: () => <b className="wrap-anywhere">{apiKey.name}</b> })}
        spellCheck={false}
        {...form.field("typed")}
      />
    </FormDialog>
  );
}
