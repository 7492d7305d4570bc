import Link from "next/link";
import { useTranslations } from "next-intl";
import { LanguageSwitch } from "@/components/ui/language-switch";
import { ThemeSwitch } from "@/components/ui/theme-switch";

/**
 * The footer of the public pages. It has its height from the start: it may be painted while the page
 * still arrives, and on a short page it would move up as it grows.
 */
export function SiteFooter({ hasStatus }: { hasStatus: boolean }) {
  const t = useTranslations("shell");
  const link = "rounded-sm hover:text-ink";
  return (
    <footer className="min-h-40.5 border-t sm:min-h-34.25 lg:min-h-23.75">
      <div className="mx-auto flex max-w-280 flex-wrap content-start justify-between gap-x-8 gap-y-5 px-5 py-7 text-muted text-sm sm:px-8">
        <nav
          aria-label={t("footerNavigation")}
          className="flex flex-wrap gap-x-5 gap-y-2 lg:min-h-9.5 lg:items-center"
        >
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
          {hasStatus ? (
            <Link href="/status" prefetch={false} className={link}>
              {t("status")}
            </Link>
          ) : null}
        </nav>
        <div className="flex flex-wrap gap-3 lg:min-w-74">
          <ThemeSwitch />
          <LanguageSwitch />
        </div>
      </div>
    </footer>
  );
}
