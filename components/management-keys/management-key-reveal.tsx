"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { SecretField } from "@/components/ui/secret-field";

/** Shows a new management key, the only time it is shown. */
export function ManagementKeyReveal({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  const t = useTranslations("managementKeys");
  return (
    <>
      <SecretField label={t("yourKey")} secret={secret} />
      <DialogActions>
        <Button look="signal" size="large" onClick={onSaved}>
          {t("saved")}
        </Button>
      </DialogActions>
    </>
  );
}
