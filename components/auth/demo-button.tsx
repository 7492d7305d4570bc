"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { Notice } from "@/components/ui/notice";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { randomText } from "@/lib/client/random-text";
import { signIn } from "@/lib/client/sign-in";
import { HumanCheckStatus, useHumanCheck } from "./human-check";

async function beginDemo(humanCheck: string | undefined): Promise<void> {
  const email = `demo-${randomText().slice(0, 12)}@demo.invalid`;
  const password = randomText();
  // The schemas that check the answer are not needed before.
  const { signUp } = await import("@/lib/client/account");
  await signUp({ email, password, humanCheck });
  await signIn("credentials", { email, password, redirect: false });
}

/** Creates an account for a visitor who wants to try the product, and signs in. */
export function DemoButton({ callbackUrl }: { callbackUrl: string | null }) {
  const t = useTranslations("auth");
  const failureText = useFailureText();
  const [isBusy, setIsBusy] = useState(false);
  const check = useHumanCheck();
  const [failure, setFailure] = useState<string | null>(null);
  const begin = () => {
    setIsBusy(true);
    setFailure(null);
    const begun = check.pass().then(beginDemo);
    begun.then(
      // A full load: pages rendered before the sign-in must not be shown after it.
      () => {
        const path = callbackUrl ?? "/playground/video";
        window.location.assign(safeCallbackPath(path, window.location.origin));
      },
      (error: unknown) => {
        setIsBusy(false);
        setFailure(failureText(error));
      },
    );
  };
  return (
    <div className="mt-5 grid gap-2 border-t pt-5">
      {failure ? <Notice tone="bad">{failure}</Notice> : null}
      <Button size="large" isBusy={isBusy} onClick={begin}>
        {t("demo")}
      </Button>
      <HumanCheckStatus share={check.share} />
      <p className="text-center text-muted text-sm">{t("demoNote")}</p>
    </div>
  );
}
