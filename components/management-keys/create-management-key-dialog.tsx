"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { ShownOnce } from "@/components/ui/shown-once";
import { CreateManagementKeyForm } from "./create-management-key-form";

interface CreateProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for name and scopes, then shows the new key once. */
export function CreateManagementKeyDialog({ isOpen, onClose }: CreateProps) {
  const t = useTranslations("managementKeys");
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : close())}
      title={secret ? t("revealTitle") : t("createTitle")}
      description={secret ? t("revealNote") : t("createNote")}
      isDismissible={secret === null}
      className={secret ? "sm:w-[min(42rem,calc(100vw-2rem))]" : undefined}
    >
      {secret ? (
        <ShownOnce label={t("yourKey")} secret={secret} saved={t("saved")} onSaved={close} />
      ) : (
        <CreateManagementKeyForm onCreated={setSecret} onCancel={close} />
      )}
    </Dialog>
  );
}
