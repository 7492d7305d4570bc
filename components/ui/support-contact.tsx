import { useTranslations } from "next-intl";

const link = "rounded-sm font-medium text-ink underline decoration-line-strong underline-offset-3";

/** Whom to ask for help: a mail address or an https URL; null for the site's operator. */
export function SupportContact({ contact }: { contact: string | null }) {
  const t = useTranslations("ui");
  if (contact === null) return t("operatorOfSite");
  const isPage = contact.startsWith("https://");
  return (
    <a href={isPage ? contact : `mailto:${contact}`} className={`wrap-anywhere ${link}`}>
      {isPage ? contact.slice("https://".length) : contact}
    </a>
  );
}
