import { useTranslations } from "next-intl";
import { BrandMark } from "./brand-mark";

export const brandLook =
  "inline-flex items-center gap-2.5 rounded-sm font-semibold text-lg tracking-tight";

/** The mark and the name, within a link that has `brandLook`. */
export function BrandName() {
  const t = useTranslations("meta");
  return (
    <>
      <BrandMark />
      {t("name")}
    </>
  );
}
