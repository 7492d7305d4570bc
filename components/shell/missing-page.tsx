import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { DeadEnd } from "./dead-end";

/** The page for an address without one. `isFramed`: within the header and the footer of the site. */
export function MissingPage({ isFramed = false }: { isFramed?: boolean }) {
  const t = useTranslations("notFound");
  return (
    <DeadEnd title={t("title")} text={t("text")} isFramed={isFramed}>
      <Button asChild look="go" size="large">
        <Link href="/">{t("home")}</Link>
      </Button>
      <Button asChild size="large">
        <Link href="/docs">{t("docs")}</Link>
      </Button>
    </DeadEnd>
  );
}
