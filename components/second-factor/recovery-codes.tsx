import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";

/** New recovery codes, which are shown only now. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useTranslations("secondFactor");
  return (
    <section aria-label={t("codes")} className="grid max-w-sm gap-3">
      <p className="text-sm">{t("codesNote")}</p>
      <ul className="num grid gap-1 rounded-md border px-3.5 py-2.5 text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join("\n")} what={t("codesCopy")} hasText />
        <Button look="go" onClick={onKept}>
          {t("codesKept")}
        </Button>
      </div>
    </section>
  );
}
