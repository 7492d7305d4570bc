import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "./button";
import { DownloadButton } from "./download-button";

interface SaveCsvProps {
  /** Null: there is nothing to save yet. */
  href: string | null;
  look?: "go";
  size?: "small";
}

/** Saves what is shown as a CSV file. */
export function SaveCsv({ href, ...button }: SaveCsvProps) {
  const t = useTranslations("ui");
  if (href !== null)
    return (
      <DownloadButton href={href} {...button}>
        {t("saveCsv")}
      </DownloadButton>
    );
  return (
    <Button {...button} disabled>
      <Download aria-hidden />
      {t("saveCsv")}
    </Button>
  );
}
