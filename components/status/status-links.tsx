import { useLocale, useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import { feedAddress } from "@/lib/contract/feed-address";

interface StatusLinksProps {
  isPublic: boolean;
  isOperator: boolean;
}

/** The feed, and for operators where they write and who sees the page. */
export function StatusLinks({ isPublic, isOperator }: StatusLinksProps) {
  const t = useTranslations("status");
  const locale = useLocale();
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {isPublic ? (
        <a href={feedAddress(locale)} className={linkClassName}>
          {t("feed")}
        </a>
      ) : (
        <span className="text-muted">
          {t("onlyOperators")}{" "}
          <Link href="/admin/settings" className={linkClassName}>
            {t("settings")}
          </Link>
        </span>
      )}
      {isOperator ? (
        <Link href="/admin/incidents" className={linkClassName}>
          {t("write")}
        </Link>
      ) : null}
    </div>
  );
}
