import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";
import { ShownOnce } from "@/components/ui/shown-once";

/** Shows a signing secret, the only time it is shown. */
export function SecretReveal({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  const t = useTranslations("notifications");
  return (
    <Dialog
      onClose={onSaved}
      title={t("secretTitle")}
      description={t("secretNote")}
      isDismissible={false}
      className="sm:w-[min(42rem,calc(100vw-2rem))]"
    >
      <ShownOnce label={t("secret")} secret={secret} saved={t("secretSaved")} onSaved={onSaved} />
    </Dialog>
  );
}
