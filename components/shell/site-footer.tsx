import { useTranslations } from "next-intl";
import { LanguageSwitch } from "@/components/ui/language-switch";
import { Link } from "@/components/ui/link";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { legalPath } from "@/lib/contract/page-paths";
import type { LegalPage } from "@/lib/contract/setting-names";

export interface FooterFacts {
  /** Whether the status page is public. */
  readonly hasStatus: boolean;
  readonly legal: readonly LegalPage[];
  /** The operator's own line. */
  readonly note: { readonly text: string; readonly lang: string } | null;
}

const links = [
  ["/", "home"],
  ["/pricing", "pricing"],
  ["/models", "models"],
  ["/docs", "docs"],
  ["/docs/api", "reference"],
] as const;

/**
 * The footer of the public pages. It has its height from the start: it may be painted while the page
 * still arrives, and on a short page it would move up as it grows.
 */
export function SiteFooter({ facts: { hasStatus, legal, note } }: { facts: FooterFacts }) {
  const t = useTranslations("shell");
  const link = "rounded-sm hover:text-ink";
  return (
    <footer className="min-h-40.5 border-t sm:min-h-34.25 lg:min-h-23.75">
      <div className="mx-auto flex max-w-280 flex-wrap content-start justify-between gap-x-8 gap-y-5 px-5 py-7 text-muted text-sm sm:px-8">
        <nav
          aria-label={t("footerNavigation")}
          className="flex flex-wrap gap-x-5 gap-y-2 lg:min-h-9.5 lg:items-center"
        >
          {links.map(([href, name]) => (
            <Link key={href} href={href} className={link}>
              {t(name)}
            </Link>
          ))}
          {hasStatus ? (
            <Link href="/status" prefetch={false} className={link}>
              {t("status")}
            </Link>
          ) : null}
          {legal.map((page) => (
            <Link key={page} href={legalPath(page)} prefetch={false} className={link}>
              {t(page)}
            </Link>
          ))}
        </nav>
        <div className="flex w-full flex-wrap gap-3 sm:w-auto lg:min-w-74">
          <ThemeSwitch />
          <LanguageSwitch />
        </div>
        {note === null ? null : (
          <p lang={note.lang} className="wrap-anywhere w-full">
            {note.text}
          </p>
        )}
      </div>
    </footer>
  );
}
