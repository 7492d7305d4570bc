"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { ShownOnce } from "@/components/ui/shown-once";
import { CreateOperatorKeyForm } from "./create-operator-key-form";

/** Asks for name and scopes, then shows the new key, the only time it is shown. */
export function CreateOperatorKeyDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("operator.keys");
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Dialog
      isOpen
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={secret ? t("revealTitle") : t("create")}
      description={secret ? t("revealNote") : t("createNote")}
      isDismissible={secret === null}
      className="sm:w-[min(42rem,calc(100vw-2rem))]"
    >
      {secret ? (
        <ShownOnce label={t("yourKey")} secret={secret} saved={t("saved")} onSaved={onClose} />
      ) : (
        <CreateOperatorKeyForm onCreated={setSecret} onCancel={onClose} />
      )}
    </Dialog>
  );
}
