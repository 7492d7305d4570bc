import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { titledUnlisted } from "@/app/_server/page-title";
import { hasDemoAccounts, siteFacts } from "@/app/_server/site";
import { AuthFrame } from "@/components/auth/auth-frame";
import { DemoButton } from "@/components/auth/demo-button";
import { LoginForm } from "@/components/auth/login-form";
import { OtherSignInMethods } from "@/components/auth/other-sign-in-methods";
import { PasskeyButton } from "@/components/auth/passkey-button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { isInvited, safeCallbackPath } from "@/lib/client/callback-url";
import { currentPending, currentUser } from "@/lib/session/current-user";
import { signInMethods } from "@/lib/session/session";

export const generateMetadata = titledUnlisted((t) => t("auth.loginTitle"));

type Search = Promise<{
  callbackUrl?: string | string[];
  error?: string | string[];
  sent?: string | string[];
}>;

export default async function LoginPage({ searchParams }: { searchParams: Search }) {
  const t = await getTranslations("auth");
  const { callbackUrl: wanted, error, sent } = await searchParams;
  const { origin, signUp } = siteFacts();
  const callbackUrl = typeof wanted === "string" ? safeCallbackPath(wanted, origin) : null;
  if (await currentUser()) redirect(callbackUrl ?? "/points");
  if (await currentPending()) {
    const back = callbackUrl ? `?callbackUrl=${encodeURIComponent(callbackUrl)}` : "";
    redirect(`/login/step${back}`);
  }
  const signUpPath = callbackUrl
    ? `/signup?callbackUrl=${encodeURIComponent(callbackUrl)}`
    : "/signup";
  const foot =
    signUp === "closed"
      ? null
      : t.rich("noAccount", {
          link: (text) => (
            <Link
              href={signUpPath}
              className="rounded-sm font-medium text-ink underline decoration-line-strong underline-offset-3"
            >
              {text}
            </Link>
          ),
        });
  return (
    <AuthFrame
      title={t("loginTitle")}
      note={t(isInvited(callbackUrl) ? "invitedNote" : callbackUrl ? "loginToReturn" : "loginNote")}
      foot={foot}
    >
      {sent === "1" ? (
        <div className="mb-4">
          <Notice tone="ok">{t("linkSentSomewhere")}</Notice>
        </div>
      ) : null}
      <LoginForm
        callbackUrl={callbackUrl}
        initialFailure={typeof error === "string" ? error : null}
      />
      <PasskeyButton callbackUrl={callbackUrl} />
      <OtherSignInMethods methods={await signInMethods()} callbackUrl={callbackUrl} />
      {hasDemoAccounts() ? <DemoButton callbackUrl={callbackUrl} /> : null}
    </AuthFrame>
  );
}
