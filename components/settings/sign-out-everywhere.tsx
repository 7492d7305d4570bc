import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { signOutEverywhere } from "@/lib/client/account";
import { endConversations } from "@/lib/client/kept-conversation";

export function SignOutEverywhere() {
  const t = useTranslations("settings");
  const showFailure = useFailureToast();
  const [isBusy, setIsBusy] = useState(false);
  const leave = async () => {
    setIsBusy(true);
    try {
      await signOutEverywhere();
      endConversations(sessionStorage);
      window.location.assign("/login");
    } catch (error) {
      showFailure(error);
      setIsBusy(false);
    }
  };
  return (
    <Button isBusy={isBusy} onClick={() => void leave()}>
      {t("endSessions")}
    </Button>
  );
}
