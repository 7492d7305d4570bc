"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Form, FormFailure } from "@/components/forms/form";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { LinkDone } from "./link-done";
import { useHiddenToken } from "./use-hidden-token";

/**
 * Carries out what a mailed link is for, when its reader presses the button: programs that read
 * mail open links too.
 */
export function MailedChange({ token, what }: { token: string; what: "confirm" | "undo" }) {
  const t = useTranslations("auth");
  const [isDone, setIsDone] = useState(false);
  useHiddenToken();
  const form = useServerForm({
    start: {},
    send: async () => {
      const { confirmEmail, undoEmail } = await import("@/lib/client/recovery");
      return what === "confirm" ? confirmEmail(token || "none") : undoEmail(token || "none");
    },
    onDone: () => setIsDone(true),
  });
  if (isDone)
    return what === "confirm" ? (
      <LinkDone text={t("confirmDone")} href="/settings" go={t("toSettings")} />
    ) : (
      <LinkDone text={t("undoDone")} href="/login" go={t("signIn")} />
    );
  return (
    <Form form={form}>
      <FormFailure text={form.failure} />
      <Button type="submit" look="go" size="large" isBusy={form.isBusy} autoFocus>
        {t(what === "confirm" ? "confirmGo" : "undoGo")}
      </Button>
    </Form>
  );
}
