"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { FormFailure } from "@/components/forms/form";
import { Button } from "@/components/ui/button";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { hadPasskey } from "@/lib/client/passkey-hint";

const canSuggest = async () =>
  typeof PublicKeyCredential !== "undefined" &&
  (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** Signs in with a passkey. A browser that knows one also suggests it in the email field. */
export function PasskeyButton({ callbackUrl }: { callbackUrl: string | null }) {
  const t = useTranslations("auth");
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready");
  const signIn = useCallback(
    async (isQuiet: boolean) => {
      const { signInWithPasskey } = await import("@/lib/client/passkeys");
      await signInWithPasskey(isQuiet);
      window.location.assign(safeCallbackPath(callbackUrl, window.location.origin));
    },
    [callbackUrl],
  );
  useEffect(() => {
    const suggest = async () => {
      if (hadPasskey() && (await canSuggest())) await signIn(true);
    };
    // Ended by the button, or by another way to sign in.
    void suggest().catch(() => {});
  }, [signIn]);
  const go = () => {
    setState("busy");
    void signIn(false).catch(() => setState("failed"));
  };
  return (
    <div className="mt-4 grid gap-2.5">
      <FormFailure text={state === "failed" ? t("passkeyFailed") : null} />
      <Button size="large" isBusy={state === "busy"} onClick={go}>
        <KeyRound aria-hidden />
        {t("passkey")}
      </Button>
    </div>
  );
}
