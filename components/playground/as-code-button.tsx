"use client";

import { Code } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeSamples } from "@/components/ui/code-samples";
import { Dialog } from "@/components/ui/dialog";
import type { Sample } from "@/lib/client/samples";

/** Shows the form's request as code; null while there is none. */
export function AsCodeButton({ samples }: { samples: readonly Sample[] | null }) {
  const t = useTranslations("studio");
  const common = useTranslations("playground");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        disabled={samples === null}
        title={samples === null ? t("noCode") : undefined}
        onClick={() => setIsOpen(true)}
      >
        <Code aria-hidden />
        <span className="max-md:sr-only">{t("viewAsCode")}</span>
      </Button>
      <Dialog
        isOpen={isOpen && samples !== null}
        onOpenChange={setIsOpen}
        title={common("asCode")}
        description={t("asCodeNote")}
        className="sm:w-[min(48rem,calc(100vw-2rem))]"
      >
        <CodeSamples label={common("asCode")} samples={samples ?? []} />
      </Dialog>
    </>
  );
}
