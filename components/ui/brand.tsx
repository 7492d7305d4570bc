import Link from "next/link";
import { useTranslations } from "next-intl";

export function Brand({ href = "/" }: { href?: string }) {
  const t = useTranslations("meta");
  return (
    <Link
      href={href}
      className="inline-flex items-center gap-2.5 rounded-sm font-semibold text-lg tracking-tight"
    >
      <svg aria-hidden="true" width="24" height="24" viewBox="0 0 22 22" fill="none">
        <path d="M3 11h16" stroke="currentColor" strokeWidth="2" />
        <circle cx="4" cy="11" r="3" fill="currentColor" />
        <circle cx="11" cy="11" r="3.2" className="fill-signal" />
        <circle
          cx="18"
          cy="11"
          r="2.6"
          className="fill-paper"
          stroke="currentColor"
          strokeWidth="2"
        />
      </svg>
      {t("name")}
    </Link>
  );
}
