"use client";

import { useTranslations } from "next-intl";
import { AskDialog } from "@/components/forms/ask-dialog";
import { useRevokeManagementKey } from "@/lib/client/management-keys";
import type { ManagementKeyView } from "@/lib/contract/management-keys";

interface RevokeProps {
  managementKey: ManagementKeyView;
  onClose: () => void;
}

export function RevokeManagementKeyDialog({ managementKey, onClose }: RevokeProps) {
  const t = useTranslations("managementKeys");
  const revoke = useRevokeManagementKey();
  const { id, name, hint } = managementKey;
  return (
    <AskDialog
      send={() => revoke.mutateAsync(id)}
      done={() => t("revoked", { name })}
      title={t("revokeTitle")}
      note={t("revokeNote", { name, hint })}
      go={t("revoke")}
      isDangerous
      onClose={onClose}
    />
  );
}
