import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { call } from "@/lib/client/call";
import { signInStepEndpoints } from "@/lib/contract/sign-in-steps";

/** Ends the waiting sign-in and begins another. */
export function CancelSignIn() {
  const t = useTranslations("secondFactor");
  const leave = async () => {
    await call(signInStepEndpoints.cancelSignIn, {}).catch(() => null);
    window.location.assign("/login");
  };
  return (
    <Button look="plain" onClick={() => void leave()}>
      {t("stepCancel")}
    </Button>
  );
}
