"use client";

import { useTranslations } from "next-intl";
import { DialogForm } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { Dialog } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";
import { useRevokeManagementKey } from "@/lib/client/management-keys";
import type { ManagementKeyView } from "@/lib/contract/management-keys";

interface RevokeProps {
  managementKey: ManagementKeyView;
  isOpen: boolean;
  onClose: () => void;
}

export function RevokeManagementKeyDialog({ managementKey, isOpen, onClose }: RevokeProps) {
  const t = useTranslations("managementKeys");
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={t("revokeTitle")}
      description={t("revokeNote", { name: managementKey.name, hint: managementKey.hint })}
    >
      <RevokeForm managementKey={managementKey} onClose={onClose} />
    </Dialog>
  );
}

function RevokeForm({ managementKey, onClose }: Omit<RevokeProps, "isOpen">) {
  const t = useTranslations("managementKeys");
  const revoke = useRevokeManagementKey();
  const form = useServerForm({
    start: {},
    send: async () => {
      await revoke.mutateAsync(managementKey.id);
      showToast(t("revoked", { name: managementKey.name }));
    },
    onDone: onClose,
  });
  return (
    <DialogForm form={form} go={t("revoke")} isDangerous onCancel={onClose}>
      {null}
    </DialogForm>
  );
}
