"use client";

import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { useHiddenToken } from "./use-hidden-token";

/** Accepts when its reader presses the button. */
export function AcceptInvitation({ token }: { token: string }) {
  const t = useTranslations("auth");
  useHiddenToken();
  const form = useServerForm({
    start: {},
    async send() {
      const { acceptInvitation } = await import("@/lib/client/members");
      await acceptInvitation(token);
    },
    onDone: () => {},
  });
  return (
    <Form form={form}>
      <FormFailure text={form.failure} />
      <Button type="submit" look="go" size="large" isBusy={form.isBusy} autoFocus>
        {t("invitationGo")}
      </Button>
    </Form>
  );
}
