import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Dialog } from "@/components/ui/dialog";
import { ShownOnce } from "@/components/ui/shown-once";
import { useInvite } from "@/lib/client/members";
import { isMailAddress } from "@/lib/contract/email-shape";
import { EMAIL_LENGTH_MAX } from "@/lib/contract/limits";
import type { GivenRole } from "@/lib/contract/members";
import { RoleField } from "./role-field";

/** Asks for the role and, where mail is set up, the address; then shows the link once. */
export function InviteDialog({ sendsMail, onClose }: { sendsMail: boolean; onClose: () => void }) {
  const t = useTranslations("members");
  const [made, setMade] = useState<{ link: string; email: string | null } | null>(null);
  const note = made?.email ? t("sentNote", { email: made.email }) : t("linkNote");
  return (
    <Dialog
      onClose={onClose}
      title={made ? t("linkTitle") : t("inviteTitle")}
      description={made ? note : t("inviteNote")}
      isDismissible={made === null}
    >
      {made ? (
        <ShownOnce label={t("link")} secret={made.link} saved={t("linkSaved")} onSaved={onClose} />
      ) : (
        <InviteForm sendsMail={sendsMail} onMade={setMade} onCancel={onClose} />
      )}
    </Dialog>
  );
}

const firstRole: GivenRole = "developer";

interface InviteFormProps {
  sendsMail: boolean;
  onMade: (made: { link: string; email: string | null }) => void;
  onCancel: () => void;
}

function InviteForm({ sendsMail, onMade, onCancel }: InviteFormProps) {
  const t = useTranslations("members");
  const invite = useInvite();
  const form = useServerForm({
    start: { email: "", role: firstRole },
    problemsOf: ({ email }) => ({
      email: email.trim() === "" || isMailAddress(email.trim()) ? undefined : t("emailProblem"),
    }),
    send: ({ email, role }) => invite.mutateAsync({ role, email: email.trim() || null }),
    onDone: ({ link, invitation }) => onMade({ link, email: invitation.email }),
  });
  return (
    <DialogForm form={form} go={t("inviteGo")} onCancel={onCancel}>
      {sendsMail ? (
        <TextField
          label={t("email")}
          hint={t("emailHint")}
          type="email"
          maxLength={EMAIL_LENGTH_MAX}
          {...form.field("email")}
        />
      ) : null}
      <RoleField role={form.watch().role} onChange={(role) => form.change({ role })} />
    </DialogForm>
  );
}
