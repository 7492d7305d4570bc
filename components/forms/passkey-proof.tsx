import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { showToast } from "@/components/ui/toast";
import { answerProof } from "@/lib/client/proof";
import { RequestError } from "@/lib/client/request-error";

/** Proves by a passkey, in place of the password and a code. */
export function PasskeyProof() {
  const t = useTranslations("proof");
  const failures = useTranslations("failures.codes");
  const failureText = useFailureText();
  const [isBusy, setIsBusy] = useState(false);
  const go = async () => {
    setIsBusy(true);
    try {
      const { proveWithPasskey } = await import("@/lib/client/passkeys");
      await proveWithPasskey();
      answerProof(true);
    } catch (error) {
      const isAnswer = error instanceof RequestError;
      showToast(isAnswer ? failureText(error) : failures("passkey_refused"), "bad");
      setIsBusy(false);
    }
  };
  return (
    <Button isBusy={isBusy} onClick={() => void go()}>
      {t("passkey")}
    </Button>
  );
}
