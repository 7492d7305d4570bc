"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormFailure } from "@/components/forms/form";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { startTotp } from "@/lib/client/second-factor";
import { AddPasskey } from "./add-passkey";
import { CancelSignIn } from "./cancel-sign-in";
import { RecoveryCodes } from "./recovery-codes";
import { TotpSetup } from "./totp-setup";

/** Sets up the second factor that the account must have. The sign-in is complete afterwards. */
export function SetupView({ callbackUrl }: { callbackUrl: string | null }) {
  const t = useTranslations("secondFactor");
  const failureText = useFailureText();
  const [totp, setTotp] = useState<{ secret: string; uri: string } | null>(null);
  const [isPasskey, setIsPasskey] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const leave = () => window.location.assign(safeCallbackPath(callbackUrl, window.location.origin));
  const onDone = (made: string[] | null) => (made === null ? leave() : setCodes(made));
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={leave} />;
  if (totp !== null) return <TotpSetup {...totp} onDone={onDone} onCancel={() => setTotp(null)} />;
  if (isPasskey) return <AddPasskey onDone={onDone} onCancel={() => setIsPasskey(false)} />;
  return (
    <div className="grid gap-3">
      <FormFailure text={failure} />
      <Button
        look="go"
        size="large"
        onClick={() =>
          void startTotp().then(setTotp, (error: unknown) => setFailure(failureText(error)))
        }
      >
        {t("addApp")}
      </Button>
      <Button size="large" onClick={() => setIsPasskey(true)}>
        {t("addPasskey")}
      </Button>
      <CancelSignIn />
    </div>
  );
}
