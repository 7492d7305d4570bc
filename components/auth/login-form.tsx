"use client";

import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { PasswordField, TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { signIn } from "@/lib/client/sign-in";
import { type SignInFailure, signInFailure } from "@/lib/client/sign-in-failure";
import { mayBeEmail } from "@/lib/contract/email-shape";

/** A sign-in that was refused, or got no answer. */
class SignInRefused extends Error {
  constructor(readonly failure: SignInFailure) {
    super("sign-in refused");
  }
}

async function signInWith(email: string, password: string): Promise<void> {
  const outcome = await signIn("credentials", {
    email: email.trim(),
    password,
    redirect: false,
  }).catch(() => null);
  if (!outcome) throw new SignInRefused({ code: "offline", minutes: null });
  if (!outcome.ok || outcome.error) throw new SignInRefused(signInFailure(outcome.error ?? ""));
}

interface LoginFormProps {
  callbackUrl: string | null;
  initialFailure: string | null;
}

export function LoginForm({ callbackUrl, initialFailure }: LoginFormProps) {
  const t = useTranslations("auth");
  const textOf = ({ code, minutes }: SignInFailure) =>
    t(`failures.${code}`, { minutes: minutes ?? 15 });
  const form = useServerForm({
    start: { email: "", password: "" },
    problemsOf: ({ email, password }) => ({
      email: mayBeEmail(email) ? undefined : t("problems.email"),
      password: password === "" ? t("problems.passwordMissing") : undefined,
    }),
    send: ({ email, password }) => signInWith(email, password),
    // A full page load, so that nothing rendered before sign-in is shown after it.
    onDone: () => window.location.assign(safeCallbackPath(callbackUrl, window.location.origin)),
    failureText: (error) =>
      textOf(error instanceof SignInRefused ? error.failure : { code: "offline", minutes: null }),
    focusOnFailure: "password",
    leavesPage: true,
  });
  const failure =
    initialFailure !== null && !form.isTried ? textOf(signInFailure(initialFailure)) : form.failure;
  return (
    <Form form={form}>
      <FormFailure text={failure} />
      <TextField
        label={t("email")}
        type="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        autoFocus
        {...form.field("email")}
      />
      <PasswordField
        label={t("password")}
        autoComplete="current-password"
        {...form.field("password")}
      />
      <Link
        href="/forgot"
        prefetch={false}
        className="-mt-1.5 justify-self-start rounded-sm text-muted text-sm underline decoration-line-strong underline-offset-3 hover:text-ink"
      >
        {t("forgot")}
      </Link>
      <Button type="submit" look="go" size="large" isBusy={form.isBusy} className="mt-1">
        {t("signIn")}
      </Button>
    </Form>
  );
}
