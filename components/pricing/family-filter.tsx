import Link from "next/link";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import type { Family } from "@/lib/contract/states";
import { families } from "../../lib/contract/states";

interface FamilyFilterProps {
  family: Family | null;
  /** Of the search, which the links keep. */
  query: string;
}

const linkTo = (family: Family | null, query: string) => {
  const asked = new URLSearchParams({ ...(query && { q: query }), ...(family && { family }) });
  return asked.size === 0 ? "/pricing" : `/pricing?${asked}`;
};

/** The families as links, so that a filtered list has its own URL. */
export function FamilyFilter({ family, query }: FamilyFilterProps) {
  const t = useTranslations("pricing");
  const familyName = useTranslations("families");
  return (
    <nav aria-label={t("families")} className="flex flex-wrap gap-1.5 text-sm">
      {[null, ...families].map((each) => (
        <Link
          key={each ?? "all"}
          href={linkTo(each, query)}
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
