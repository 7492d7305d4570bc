"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { CodeSamples } from "@/components/ui/code-samples";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
import { Pill } from "@/components/ui/pill";
import { chatSamples } from "@/lib/client/samples";

/** The form that had the focus is gone, so the key's field takes it. */
function takeFocus(element: HTMLInputElement | null) {
  element?.focus();
}

/** Shows a new key, the only time it is shown, with a sample call that uses it. */
export function KeyReveal({
  secret,
  baseUrl,
  onSaved,
}: {
  secret: string;
  baseUrl: string;
  onSaved: () => void;
}) {
  const t = useTranslations("keys.reveal");
  return (
    <>
      <div className="rounded-md border border-signal bg-signal-wash p-3">
        <div className="flex flex-wrap items-center gap-2.5">
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
      </div>
      <p className="mt-2 flex items-center gap-2 text-muted text-sm">
        <Pill tone="held">{t("once")}</Pill>
        {t("fingerprint")}
      </p>
      <h3 className="mt-5 mb-2 font-medium text-sm">{t("tryIt")}</h3>
      <CodeSamples label={t("tryIt")} samples={chatSamples(baseUrl, secret)} />
      <DialogActions>
        <Button look="signal" size="large" onClick={onSaved}>
          {t("saved")}
        </Button>
      </DialogActions>
    </>
  );
}
