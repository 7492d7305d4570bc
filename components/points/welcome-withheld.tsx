import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { signIn } from "@/lib/client/sign-in";
import type { Me } from "@/lib/contract/me";

async function sendLink(email: string) {
  const { passHumanCheck } = await import("@/lib/client/human-check");
  const humanCheck = await passHumanCheck(() => {});
  return signIn("email", { email, redirect: false, callbackUrl: "/points", humanCheck });
}

/** Why the account has no welcome points. Hidden once it has points of its own. */
export function WelcomeWithheld({ me }: { me: Me }) {
  const t = useTranslations("points.withheld");
  const [state, setState] = useState<"idle" | "sending" | "sent" | "failed">("idle");
  const reason = me.account.welcomeWithheld;
  if (reason === null || /[1-9]/.test(me.statement.toppedUp)) return null;
  const { email } = me.user;
  const send = async () => {
    setState("sending");
    const outcome = await sendLink(email).catch(() => null);
    setState(outcome?.ok && !outcome.error ? "sent" : "failed");
  };
  return (
    <div className="mb-3.5">
      <Notice tone={state === "failed" ? "bad" : "note"}>
        <p>
          {state === "sent" ? t("sent", { email }) : state === "failed" ? t("failed") : t(reason)}
        </p>
        {reason === "unverified" && state !== "sent" ? (
          <Button className="mt-2.5" isBusy={state === "sending"} onClick={() => void send()}>
            {t("send")}
          </Button>
        ) : null}
      </Notice>
    </div>
  );
}
