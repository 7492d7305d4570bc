"use client";

import { LogOut } from "lucide-react";
import { signOut } from "next-auth/react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { endConversations } from "@/lib/client/kept-conversation";

export function SignOutButton({ className }: { className?: string }) {
  const t = useTranslations("shell");
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = async () => {
    setIsLeaving(true);
    await signOut({ redirect: false });
    endConversations(sessionStorage);
    // A full page load, so that nothing of the account stays in memory.
    window.location.assign("/");
  };
  return (
    <Button
      look="quiet"
      isBusy={isLeaving}
      onClick={leave}
      className={cn("justify-start px-2", className)}
    >
      {isLeaving ? null : <LogOut aria-hidden />}
      {t("signOut")}
    </Button>
  );
}
