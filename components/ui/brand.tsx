import Link from "next/link";
import { useTranslations } from "next-intl";
import { BrandMark } from "./brand-mark";

export function Brand({ href = "/" }: { href?: string }) {
  const t = useTranslations("meta");
  return (
    <Link
      href={href}
      className="inline-flex items-center gap-2.5 rounded-sm font-semibold text-lg tracking-tight"
    >
      <BrandMark />
      {t("name")}
    </Link>
  );
}
