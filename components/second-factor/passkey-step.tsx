import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormFailure } from "@/components/forms/form";
import { Button } from "@/components/ui/button";

/** Completes the sign-in with a passkey. */
export function PasskeyStep({ onDone }: { onDone: () => void }) {
  const t = useTranslations("secondFactor");
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready");
  const go = async () => {
    setState("busy");
    try {
      const { signInWithPasskey } = await import("@/lib/client/passkeys");
      await signInWithPasskey();
      onDone();
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      <FormFailure text={state === "failed" ? t("stepPasskeyFailed") : null} />
      <Button size="large" isBusy={state === "busy"} onClick={() => void go()}>
        {t("stepPasskey")}
      </Button>
    </>
  );
}
