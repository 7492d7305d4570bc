import { getTranslations } from "next-intl/server";
import { titledUnlisted } from "@/app/_server/page-title";
import { siteFacts } from "@/app/_server/site";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SetupView } from "@/components/second-factor/setup-view";
import { StepForm } from "@/components/second-factor/step-form";
import { ClientMessages } from "@/components/shell/client-messages";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { currentPending } from "@/lib/session/current-user";

export const generateMetadata = titledUnlisted((t) => t("secondFactor.stepTitle"));

type Search = Promise<{ callbackUrl?: string | string[] }>;

/** What a sign-in still needs after its password: the second factor, or the set-up of one. */
export default async function StepPage({ searchParams }: { searchParams: Search }) {
  const { callbackUrl: wanted } = await searchParams;
  const { origin } = siteFacts();
  const callbackUrl = typeof wanted === "string" ? safeCallbackPath(wanted, origin) : null;
  const pending = await currentPending();
  const t = await getTranslations("secondFactor");
  if (pending === null) {
    const back = callbackUrl ? `?callbackUrl=${encodeURIComponent(callbackUrl)}` : "";
    return (
      <AuthFrame title={t("stepTitle")} note={t("stepOver")} foot={null}>
        <Button asChild look="go" size="large" className="w-full">
          <Link href={`/login${back}`}>{t("stepAgain")}</Link>
        </Button>
      </AuthFrame>
    );
  }
  const isStep = pending.user.hasSecondFactor;
  return (
    <ClientMessages of={["ui", "auth", "failures", "secondFactor"]}>
      <AuthFrame
        title={t(isStep ? "stepTitle" : "setupTitle")}
        note={t(isStep ? "stepNote" : "setupNote")}
        foot={null}
      >
        {isStep ? <StepForm callbackUrl={callbackUrl} /> : <SetupView callbackUrl={callbackUrl} />}
      </AuthFrame>
    </ClientMessages>
  );
}
