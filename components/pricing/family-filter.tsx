import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { addressWith, type UrlParameters } from "@/lib/client/model-search";
import type { Family } from "@/lib/contract/states";
import { families } from "../../lib/contract/states";

interface FamilyFilterProps {
  family: Family | null;
  /** Of the page's URL; the links keep them. */
  parameters: UrlParameters;
}

/** The families as links, so that a filtered list has its own URL. */
export function FamilyFilter({ family, parameters }: FamilyFilterProps) {
  const t = useTranslations("pricing");
  const familyName = useTranslations("families");
  return (
    <nav aria-label={t("families")} className="flex flex-wrap gap-1.5 text-sm">
      {[null, ...families].map((each) => (
        <Link
          key={each ?? "all"}
          href={addressWith("/pricing", parameters, { family: each, page: null })}
          scroll={false}
          prefetch={false}
          aria-current={each === family ? "true" : undefined}
          className={cn(
            "rounded-full border px-3 py-1",
            each === family
              ? "border-ink bg-ink text-paper"
              : "border-line-strong text-muted hover:text-ink",
          )}
        >
          {each === null ? t("all") : familyName(each)}
        </Link>
      ))}
    </nav>
  );
}
