import { useTranslations } from "next-intl";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Dialog } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";
import { useRevokeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/api-keys";

interface RevokeKeyDialogProps {
  apiKey: ApiKeyView;
  isOpen: boolean;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, isOpen, onClose }: RevokeKeyDialogProps) {
  const t = useTranslations("keys");
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={t("revokeTitle")}
      description={t("revokeNote", { hint: apiKey.hint })}
    >
      <RevokeKeyForm apiKey={apiKey} onClose={onClose} />
    </Dialog>
  );
}

function RevokeKeyForm({ apiKey, onClose }: { apiKey: ApiKeyView; onClose: () => void }) {
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
    <DialogForm form={form} go={t("revoke")} isDangerous isOff={!isSure} onCancel={onClose}>
      <TextField
        label={t.rich("typeName", { name: () => <b className="wrap-anywhere">{apiKey.name}</b> })}
        spellCheck={false}
        {...form.field("typed")}
      />
    </DialogForm>
  );
}
