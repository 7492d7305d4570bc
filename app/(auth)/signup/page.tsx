import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { shownLegalPages } from "@/app/_server/brand";
import { titled } from "@/app/_server/page-title";
import { referralOffer } from "@/app/_server/referral";
import { invitationOf, siteFacts } from "@/app/_server/site";
import { AuthFrame } from "@/components/auth/auth-frame";
import { LegalLinks } from "@/components/auth/legal-links";
import { EmailLink, OtherSignInMethods } from "@/components/auth/other-sign-in-methods";
import { ReferralNotice } from "@/components/auth/referral-notice";
import { SignupForm } from "@/components/auth/signup-form";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { isInvited, safeCallbackPath } from "@/lib/client/callback-url";
import { currentUser } from "@/lib/session/current-user";
import { signInMethods } from "@/lib/session/session";

export const generateMetadata = titled((t) => t("auth.signupTitle"));

interface SignupProps {
  searchParams: Promise<{
    callbackUrl?: string | string[];
    invite?: string | string[];
    ref?: string | string[];
  }>;
}

export default async function SignupPage({ searchParams }: SignupProps) {
  const t = await getTranslations("auth");
  const { callbackUrl: wanted, invite: code, ref } = await searchParams;
  const { origin, signUp, welcomePoints } = siteFacts();
  const callbackUrl = typeof wanted === "string" ? safeCallbackPath(wanted, origin) : null;
  if (await currentUser()) redirect(callbackUrl ?? "/points");
  const loginPath = callbackUrl
    ? `/login?callbackUrl=${encodeURIComponent(callbackUrl)}`
    : "/login";
  const foot = t.rich("hasAccount", {
    link: (text) => (
      <Link
        href={loginPath}
        className="rounded-sm font-medium text-ink underline decoration-line-strong underline-offset-3"
      >
        {text}
      </Link>
    ),
  });
  const invitation =
    signUp === "closed" || typeof code !== "string" ? null : await invitationOf(code);
  const offer = signUp === "open" && invitation === null ? await referralOffer(ref) : null;
  const methods = signInMethods();
  const points = Number(invitation?.points ?? welcomePoints);
  return (
    <AuthFrame
      title={t("signupTitle")}
      note={
        isInvited(callbackUrl)
          ? t("invitedNote")
          : points > 0
            ? t("signupNote", { points })
            : t("signupNotePlain")
      }
      foot={foot}
    >
      {code !== undefined && invitation === null && signUp !== "closed" ? (
        <Notice tone="bad">{t("inviteInvalid")}</Notice>
      ) : null}
      {offer !== null ? <ReferralNotice offer={offer} /> : null}
      {invitation !== null ? (
        <SignupForm callbackUrl={callbackUrl} invite={invitation.code} />
      ) : null}
      {invitation === null && signUp === "open" ? (
        <>
          {methods.emailLink ? (
            <EmailLink callbackUrl={callbackUrl} isOpen />
          ) : (
            <SignupForm callbackUrl={callbackUrl} />
          )}
          <OtherSignInMethods
            methods={{ ...methods, emailLink: false }}
            callbackUrl={callbackUrl}
          />
        </>
      ) : null}
      {invitation !== null || signUp === "open" ? <LegalLinks pages={shownLegalPages()} /> : null}
      {invitation === null && signUp !== "open" && (code === undefined || signUp === "closed") ? (
        <Notice tone="bad">{t(signUp === "invite" ? "signupInvite" : "signupClosed")}</Notice>
      ) : null}
    </AuthFrame>
  );
}
