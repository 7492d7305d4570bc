"use client";

import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { signIn } from "@/lib/client/sign-in";

/** The ways to sign in that this installation has set up, besides email and password. */
export interface SignInWays {
  github: boolean;
  google: boolean;
  emailLink: boolean;
}

export function OtherWays({ ways, callbackUrl }: { ways: SignInWays; callbackUrl: string | null }) {
  const t = useTranslations("auth");
  if (!ways.github && !ways.google && !ways.emailLink) return null;
  const go = (provider: string) => void signIn(provider, { callbackUrl: safeCallbackPath(callbackUrl, window.location.origin) });
  return (
    <div className="mt-5 grid gap-2.5">
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </p>
      {ways.github ? <Button onClick={() => go("github")}>{t("withGithub")}</Button> : null}
      {ways.google ? <Button onClick={() => go("google")}>{t("withGoogle")}</Button> : null}
      {ways.emailLink ? <EmailLink callbackUrl={callbackUrl} /> : null}
    </div>
  );
}

/** Asks for a link by mail, which signs in or makes an account. */
export function EmailLink({ callbackUrl, isOpen = false }: { callbackUrl: string | null; isOpen?: boolean }) {
  const t = useTranslations("auth");
  const [state, setState] = useState<"closed" | "open" | "sending" | "sent" | "failed">(isOpen ? "open" : "closed");
  const [email, setEmail] = useState("");
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) return;
    setState("sending");
    const path = safeCallbackPath(callbackUrl, window.location.origin);
    const outcome = await signIn("email", { email: email.trim(), redirect: false, callbackUrl: path }).catch(() => null);
    setState(outcome?.ok && !outcome.error ? "sent" : "failed");
  };
  if (state === "sent") return <Notice tone="ok">{t("linkSent", { email })}</Notice>;
  if (state === "closed") {
    return (
      <Button onClick={() => setState("open")}>
        <Mail aria-hidden />
        {t("withEmail")}
      </Button>
    );
  }
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="grid gap-2.5">
      <Field label={t("linkEmail")} error={state === "failed" ? t("failures.link") : undefined}>
        {(control) => (
          <Input {...control} type="email" autoComplete="username" value={email} onChange={(event) => setEmail(event.target.value)} />
        )}
      </Field>
      <Button type="submit" isBusy={state === "sending"}>
        {t("sendLink")}
      </Button>
    </form>
  );
}
