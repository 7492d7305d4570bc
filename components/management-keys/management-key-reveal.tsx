"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";

/** The form that had the focus is gone, so the key's field takes it. */
function takeFocus(element: HTMLInputElement | null) {
  element?.focus();
}

/** Shows a new management key, the only time it is shown. */
export function ManagementKeyReveal({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  const t = useTranslations("managementKeys");
  return (
    <>
      <div className="flex flex-wrap items-center gap-2.5 rounded-md border border-signal bg-signal-wash p-3">
        <input
          ref={takeFocus}
          readOnly
          aria-label={t("yourKey")}
          value={secret}
          onFocus={(event) => event.target.select()}
          className="num h-9 min-w-0 flex-1 basis-64 rounded-sm bg-transparent px-1 text-sm"
        />
        <CopyButton text={secret} what={t("yourKey")} size="medium" />
      </div>
      <DialogActions>
        <Button look="signal" size="large" onClick={onSaved}>
          {t("saved")}
        </Button>
      </DialogActions>
    </>
  );
}
