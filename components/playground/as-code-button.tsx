import { Code } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeSamples } from "@/components/ui/code-samples";
import { Dialog } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import type { SampleForm } from "@/lib/client/request-samples";

/**
 * Shows the form's request as code, in each API in which it can be sent; null while there is none.
 */
export function AsCodeButton({ forms }: { forms: readonly SampleForm[] | null }) {
  const t = useTranslations("studio");
  const common = useTranslations("playground");
  const details = useTranslations("usage.detail");
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState<SampleForm["name"]>();
  const shown = forms?.find(({ name }) => name === wanted) ?? forms?.[0];
  return (
    <>
      <Button
        disabled={forms === null}
        title={forms === null ? t("noCode") : undefined}
        onClick={() => setIsOpen(true)}
      >
        <Code aria-hidden />
        <span className="max-md:sr-only">{t("viewAsCode")}</span>
      </Button>
      <Dialog
        isOpen={isOpen && forms !== null}
        onClose={() => setIsOpen(false)}
        title={common("asCode")}
        description={t("asCodeNote")}
        className="sm:w-[min(48rem,calc(100vw-2rem))]"
      >
        {forms !== null && forms.length > 1 ? (
          <Segmented
            label={details("dialect")}
            className="mb-3 w-fit max-w-full"
            value={shown?.name}
            onChange={setWanted}
            options={forms.map(({ name }) => ({ value: name, label: common(`forms.${name}`) }))}
          />
        ) : null}
        <CodeSamples label={common("asCode")} samples={shown?.samples ?? []} />
      </Dialog>
    </>
  );
}
