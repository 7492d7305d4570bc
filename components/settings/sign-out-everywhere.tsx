"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { showToast } from "@/components/ui/toast";
import { signOutEverywhere } from "@/lib/client/account";
import { endConversations } from "@/lib/client/kept-conversation";

export function SignOutEverywhere() {
  const t = useTranslations("settings");
  const failureText = useFailureText();
  const [isBusy, setIsBusy] = useState(false);
  const leave = async () => {
    setIsBusy(true);
    try {
      await signOutEverywhere();
      endConversations(sessionStorage);
      window.location.assign("/login");
    } catch (error) {
      showToast(failureText(error), "bad");
      setIsBusy(false);
    }
  };
  return (
    <Button isBusy={isBusy} onClick={() => void leave()}>
      {t("endSessions")}
    </Button>
  );
}
