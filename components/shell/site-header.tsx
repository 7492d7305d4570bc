import { useTranslations } from "next-intl";
import { Brand } from "@/components/ui/brand";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { FIRST_KEY_PATH } from "@/lib/contract/page-paths";
import { SiteMenu } from "./site-menu";

/** The header of the public pages. */
export function SiteHeader({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTranslations("shell");
  const link = "rounded-sm text-muted hover:text-ink";
  return (
    <header className="mx-auto flex h-18 w-full max-w-280 items-center gap-3 px-5 sm:gap-7 sm:px-8">
      <Brand />
      <nav
        aria-label={t("siteNavigation")}
        className="flex h-9.5 flex-1 items-center gap-3 whitespace-nowrap sm:gap-6"
      >
        <Link href="/pricing" className={`${link} max-sm:hidden`}>
          {t("pricing")}
        </Link>
        <Link href="/models" className={`${link} max-sm:hidden`}>
          {t("models")}
        </Link>
        <Link href="/docs" className={`${link} max-sm:hidden`}>
          {t("docs")}
        </Link>
        <span className="flex-1" />
        {isSignedIn ? null : (
          <Link href="/login" className={link}>
            {t("signIn")}
          </Link>
        )}
        <Button asChild look="go">
          <Link href={isSignedIn ? "/points" : FIRST_KEY_PATH}>
            {isSignedIn ? t("points") : t("getKey")}
          </Link>
        </Button>
      </nav>
      <SiteMenu />
    </header>
  );
}
