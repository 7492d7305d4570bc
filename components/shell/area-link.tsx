import { ArrowLeftRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";

/** Switches an operator between the own account's pages and the operators' pages. */
export function AreaLink({ area }: { area: "dashboard" | "operator" }) {
  const t = useTranslations("shell");
  return (
    <Link
      href={area === "dashboard" ? "/admin" : "/overview"}
      className="flex items-center gap-2 rounded-md px-2 py-1.75 text-muted text-sm hover:text-ink md:mb-1"
    >
      <ArrowLeftRight aria-hidden className="size-4" />
      <span className="max-md:sr-only">{t(area === "dashboard" ? "operate" : "ownAccount")}</span>
    </Link>
  );
}
