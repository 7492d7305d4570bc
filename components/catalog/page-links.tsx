import { useFormatter, useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import {
  addressWith,
  MODELS_PER_PAGE,
  type PageOfModels,
  type UrlParameters,
} from "@/lib/client/model-search";

interface PageLinksProps {
  of: PageOfModels<unknown>;
  path: string;
  /** Of the page's URL; the links keep them. */
  parameters: UrlParameters;
}

/** Where in a long list of models a page is, with links to its neighbours; nothing for one page. */
export function PageLinks({ of: { page, pages, count, shown }, path, parameters }: PageLinksProps) {
  const t = useTranslations("modelFinder");
  const format = useFormatter();
  if (pages === 1) return null;
  const from = (page - 1) * MODELS_PER_PAGE;
  const linkTo = (wanted: number) => addressWith(path, parameters, { page: String(wanted) });
  return (
    <nav
      aria-label={t("pages")}
      className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-t px-5 py-3 text-sm"
    >
      <span className="num text-muted">
        {t("range", {
          from: format.number(from + 1),
          to: format.number(from + shown.length),
          count: format.number(count),
        })}
      </span>
      {page > 1 ? (
        <Link href={linkTo(page - 1)} prefetch={false} className={linkClassName}>
          {t("before")}
        </Link>
      ) : null}
      {page < pages ? (
        <Link href={linkTo(page + 1)} prefetch={false} className={linkClassName}>
          {t("after")}
        </Link>
      ) : null}
    </nav>
  );
}
