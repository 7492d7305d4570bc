import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { pageTitle } from "@/app/_server/page-title";
import { DeadEnd } from "@/components/shell/dead-end";
import { Button } from "@/components/ui/button";

export const generateMetadata = pageTitle("notFound");

export default async function NotFound() {
  const t = await getTranslations("notFound");
  return (
    <DeadEnd title={t("title")} text={t("text")}>
      <Button asChild look="go" size="large">
        <Link href="/">{t("home")}</Link>
      </Button>
      <Button asChild size="large">
        <Link href="/points">{t("points")}</Link>
      </Button>
    </DeadEnd>
  );
}
