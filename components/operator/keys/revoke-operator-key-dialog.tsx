"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { showToast } from "@/components/ui/toast";
import { useRevokeOperatorKey } from "@/lib/client/operator-keys";
import type { OperatorKeyView } from "@/lib/contract/operator-keys";
import { useOperatorForm } from "../use-operator-form";

interface RevokeProps {
  operatorKey: OperatorKeyView;
  onClose: () => void;
}

export function RevokeOperatorKeyDialog({ operatorKey: { id, name, hint }, onClose }: RevokeProps) {
  const t = useTranslations("operator.keys");
  const revoke = useRevokeOperatorKey();
  const form = useOperatorForm({
    start: {},
    send: () => revoke.mutateAsync(id),
    onDone: () => {
      onClose();
      showToast(t("revoked", { name }));
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("revokeTitle")}
      note={t("revokeNote", { name, hint })}
      go={t("revoke")}
      isDangerous
    />
  );
}
