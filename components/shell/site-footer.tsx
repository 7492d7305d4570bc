import Link from "next/link";
import { useTranslations } from "next-intl";
import { LanguageSwitch } from "@/components/ui/language-switch";
import { ThemeSwitch } from "@/components/ui/theme-switch";

export function SiteFooter() {
  const t = useTranslations("shell");
  const link = "rounded-sm hover:text-ink";
  return (
    <footer className="border-t">
      <div className="mx-auto flex max-w-280 flex-wrap items-center justify-between gap-x-8 gap-y-5 px-5 py-7 text-muted text-sm sm:px-8">
        <nav aria-label={t("footerNavigation")} className="flex flex-wrap gap-x-5 gap-y-2">
          <Link href="/" className={link}>
            {t("home")}
          </Link>
          <Link href="/pricing" className={link}>
            {t("pricing")}
          </Link>
          <Link href="/models" className={link}>
            {t("models")}
          </Link>
          <Link href="/docs" className={link}>
            {t("docs")}
          </Link>
          <Link href="/docs/api" className={link}>
            {t("reference")}
          </Link>
          <Link href="/points" className={link}>
            {t("points")}
          </Link>
        </nav>
        <div className="flex flex-wrap gap-3">
          <ThemeSwitch />
          <LanguageSwitch />
        </div>
      </div>
    </footer>
  );
}
