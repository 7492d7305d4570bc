"use client";

import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { safeCallbackPath } from "@/lib/client/callback-url";
import { signIn } from "@/lib/client/sign-in";
import { mayBeEmail } from "@/lib/contract/email-shape";
import { HumanCheckStatus, useHumanCheck } from "./human-check";

/** The sign-in methods of this installation besides email and password. */
interface SignInMethods {
  github: boolean;
  google: boolean;
  /** The name of another service; null when there is none. */
  oidc: string | null;
  emailLink: boolean;
}

interface OtherSignInMethodsProps {
  methods: SignInMethods;
  callbackUrl: string | null;
}

export function OtherSignInMethods({ methods, callbackUrl }: OtherSignInMethodsProps) {
  const t = useTranslations("auth");
  const { github, google, oidc, emailLink } = methods;
  if (!github && !google && oidc === null && !emailLink) return null;
  const go = (provider: string) =>
    void signIn(provider, { callbackUrl: safeCallbackPath(callbackUrl, window.location.origin) });
  return (
    <div className="mt-5 grid gap-2.5">
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </p>
      {github ? <Button onClick={() => go("github")}>{t("withGithub")}</Button> : null}
      {google ? <Button onClick={() => go("google")}>{t("withGoogle")}</Button> : null}
      {oidc ? <Button onClick={() => go("oidc")}>{t("withOidc", { name: oidc })}</Button> : null}
      {emailLink ? <EmailLink callbackUrl={callbackUrl} /> : null}
    </div>
  );
}

async function sendLink(link: {
  email: string;
  callbackUrl: string;
  humanCheck: string | undefined;
}): Promise<void> {
  const outcome = await signIn("email", { ...link, redirect: false });
  if (!outcome?.ok || outcome.error) throw new Error("no link was sent");
}

interface EmailLinkProps {
  callbackUrl: string | null;
  isOpen?: boolean;
}

/** Requests a sign-in link by mail, which also creates an account. */
export function EmailLink({ callbackUrl, isOpen = false }: EmailLinkProps) {
  const t = useTranslations("auth");
  const check = useHumanCheck();
  const [state, setState] = useState<"closed" | "open" | "sent">(isOpen ? "open" : "closed");
  const form = useServerForm({
    start: { email: "" },
    problemsOf: ({ email }) => ({
      email: mayBeEmail(email.trim()) ? undefined : t("problems.email"),
    }),
    send: async ({ email }) =>
      sendLink({
        email: email.trim(),
        callbackUrl: safeCallbackPath(callbackUrl, window.location.origin),
        humanCheck: await check.pass(),
      }),
    onDone: () => setState("sent"),
    failureText: () => t("failures.link"),
    fieldOf: () => "email",
  });
  if (state === "sent")
    return <Notice tone="ok">{t("linkSent", { email: form.watch().email })}</Notice>;
  if (state === "closed") {
    return (
      <Button onClick={() => setState("open")}>
        <Mail aria-hidden />
        {t("withEmail")}
      </Button>
    );
  }
  return (
    <Form form={form} className="gap-2.5">
      <TextField
        label={t("linkEmail")}
        type="email"
        autoComplete="username"
        {...form.field("email")}
      />
      <div>
        <Button type="submit" isBusy={form.isBusy} className="w-full">
          {t("sendLink")}
        </Button>
        <HumanCheckStatus share={check.share} />
      </div>
    </Form>
  );
}
