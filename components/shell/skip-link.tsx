import { useTranslations } from "next-intl";

/** The first element in the tab order. */
export function SkipLink() {
  const t = useTranslations("shell");
  return (
    <a
      href="#content"
      className="fixed top-3 left-3 z-60 -translate-y-20 rounded-md bg-ink px-4 py-2.5 font-medium text-paper focus-visible:translate-y-0"
    >
      {t("skip")}
    </a>
  );
}
