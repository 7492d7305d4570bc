import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { Link } from "@/components/ui/link";
import { legalPath } from "@/lib/contract/page-paths";
import type { LegalPage } from "@/lib/contract/setting-names";

/** The operator's legal pages, as far as there are any, where an account is created. */
export function LegalLinks({ pages }: { pages: readonly LegalPage[] }) {
  const t = useTranslations("auth");
  const names = useTranslations("shell");
  if (pages.length === 0) return null;
  const links = () =>
    pages.map((page, at) => (
      <Fragment key={page}>
        {at === 0 ? null : " · "}
        <Link
          href={legalPath(page)}
          prefetch={false}
          className="rounded-sm underline underline-offset-3 hover:text-ink"
        >
          {names(page)}
        </Link>
      </Fragment>
    ));
  return <p className="mt-4 text-muted text-sm">{t.rich("legal", { links })}</p>;
}
