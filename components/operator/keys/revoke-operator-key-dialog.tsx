"use client";

import { useTranslations } from "next-intl";
import { useRevokeOperatorKey } from "@/lib/client/operator-keys";
import type { OperatorKeyView } from "@/lib/contract/operator-keys";
import { OperatorAskDialog } from "../operator-ask-dialog";

interface RevokeProps {
  operatorKey: OperatorKeyView;
  onClose: () => void;
}

export function RevokeOperatorKeyDialog({ operatorKey: { id, name, hint }, onClose }: RevokeProps) {
  const t = useTranslations("operator.keys");
  const revoke = useRevokeOperatorKey();
  return (
    <OperatorAskDialog
      send={() => revoke.mutateAsync(id)}
      done={() => t("revoked", { name })}
      onClose={onClose}
      title={t("revokeTitle")}
      note={t("revokeNote", { name, hint })}
      go={t("revoke")}
      isDangerous
    />
  );
}
