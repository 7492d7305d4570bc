"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { SecretField } from "@/components/ui/secret-field";

/** Shows a signing secret, the only time it is shown. */
export function SecretReveal({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  const t = useTranslations("notifications");
  return (
    <Dialog
      isOpen
      onOpenChange={(next) => (next ? undefined : onSaved())}
      title={t("secretTitle")}
      description={t("secretNote")}
      isDismissible={false}
      className="sm:w-[min(42rem,calc(100vw-2rem))]"
    >
      <SecretField label={t("secret")} secret={secret} />
      <DialogActions>
        <Button look="signal" size="large" onClick={onSaved}>
          {t("secretSaved")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
