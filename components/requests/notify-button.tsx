import { Bell, BellOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { useNoticeSetting } from "@/lib/client/ready-notice";

/** Asks for permission to show browser notifications. No other code asks for it. */
export function NotifyButton() {
  const t = useTranslations("tasks");
  const { state, change } = useNoticeSetting();
  if (state === "unavailable") return null;
  if (state === "denied" || state === "unknown") {
    return (
      <Button disabled title={state === "denied" ? t("notifyDenied") : undefined}>
        <BellOff aria-hidden />
        <span className="max-md:sr-only">{t("notify")}</span>
      </Button>
    );
  }
  return (
    <Button aria-pressed={state === "on"} onClick={() => void change(state === "off")}>
      {state === "on" ? <Bell aria-hidden className="text-ok-ink" /> : <BellOff aria-hidden />}
      <span className="max-md:sr-only">{t(state === "on" ? "notifyOn" : "notify")}</span>
    </Button>
  );
}
