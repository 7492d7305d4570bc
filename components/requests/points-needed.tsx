import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { useMay } from "@/lib/client/shown-account";

/** What to do where points are missing: the way to add some, or who may. */
export function PointsNeeded() {
  const t = useTranslations("playground");
  const balance = useTranslations("overview.balance");
  return useMay("buy") ? (
    <Button asChild size="small" look="go" className="justify-self-start">
      <Link href="/points#topup">{t("topUp")}</Link>
    </Button>
  ) : (
    <p>{balance("nothingTeam")}</p>
  );
}
