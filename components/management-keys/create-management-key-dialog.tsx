"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { CreateManagementKeyForm } from "./create-management-key-form";
import { ManagementKeyReveal } from "./management-key-reveal";

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
        <ManagementKeyReveal secret={secret} onSaved={close} />
      ) : (
        <CreateManagementKeyForm onCreated={setSecret} onCancel={close} />
      )}
    </Dialog>
  );
}
