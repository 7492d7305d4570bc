import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currentUser } from "@/app/_server/signed-in";
import { siteFacts } from "@/app/_server/site";
import { AuthFrame } from "@/components/auth/auth-frame";
import { LoginForm } from "@/components/auth/login-form";
import { OtherWays } from "@/components/auth/other-ways";
import { safeCallbackPath } from "@/lib/client/callback-url";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth");
  return { title: t("loginTitle"), robots: { index: false } };
}

type Search = Promise<{ callbackUrl?: string | string[]; error?: string | string[] }>;

export default async function LoginPage({ searchParams }: { searchParams: Search }) {
  const t = await getTranslations("auth");
  const { callbackUrl: wanted, error } = await searchParams;
  const { baseUrl, signInWays, signUp } = siteFacts();
  const callbackUrl = typeof wanted === "string" ? safeCallbackPath(wanted, new URL(baseUrl).origin) : null;
  if (await currentUser()) redirect(callbackUrl ?? "/points");
  const signUpPath = callbackUrl ? `/signup?callbackUrl=${encodeURIComponent(callbackUrl)}` : "/signup";
  const foot =
    signUp === "closed"
      ? null
      : t.rich("noAccount", {
          link: (text) => (
            <Link href={signUpPath} className="rounded-sm font-medium text-ink underline decoration-line-strong underline-offset-3">
              {text}
            </Link>
          ),
        });
  return (
    <AuthFrame title={t("loginTitle")} note={callbackUrl ? t("loginToReturn") : t("loginNote")} foot={foot}>
      <LoginForm callbackUrl={callbackUrl} initialFailure={typeof error === "string" ? error : null} />
      <OtherWays ways={signInWays} callbackUrl={callbackUrl} />
    </AuthFrame>
  );
}
