import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Me } from "@/lib/contract/me";
import { DeleteForm } from "./delete-form";
import type { Help } from "./help";

/** Opens the dialog in which users delete their own account. */
export function DeleteAccount({ me, help }: { me: Me; help: Help }) {
  const t = useTranslations("settings");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t("deleteOpen")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t("deleteTitle")}
        description={t("deleteForever")}
      >
        <DeleteForm me={me} help={help} onCancel={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}
