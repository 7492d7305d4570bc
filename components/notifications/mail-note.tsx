import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import type { NotificationChoices } from "@/lib/contract/notifications";

/** Why no mail comes, if none does. */
export function MailNote({ mail }: { mail: NotificationChoices["mail"] }) {
  const t = useTranslations("notifications");
  if (mail === "on") return null;
  return (
    <p className="wrap-anywhere rounded-md bg-wash px-3.5 py-2.5 text-sm col-span-full">
      {mail === "off" ? t("mailOff") : t("mailUnverified")}{" "}
      {mail === "off" ? null : (
        <Link href="/forgot" className="underline underline-offset-3">
          {t("verify")}
        </Link>
      )}
    </p>
  );
}
