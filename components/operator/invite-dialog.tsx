import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { PointsField, TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { useOperatorWrite } from "@/lib/client/write";
import { INVITE_DAYS_MAX, NOTE_LENGTH_MAX } from "@/lib/contract/limits";
import { inviteEndpoints } from "@/lib/contract/operator-invites";
import { useOperatorForm } from "./use-operator-form";

/** Creates an invitation for one sign-up. Its link is shown once. */
export function InviteDialog() {
  const t = useTranslations("operator.invites");
  const [isOpen, setIsOpen] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      <Button look="go" onClick={() => setIsOpen(true)}>
        <UserPlus aria-hidden />
        {t("invite")}
      </Button>
      {isOpen ? <InviteForm onClose={() => setIsOpen(false)} onMade={setLink} /> : null}
      <Dialog
        isOpen={link !== null}
        onClose={() => setLink(null)}
        isDismissible={false}
        title={t("madeTitle")}
        description={t("madeNote")}
      >
        <div className="flex gap-2">
          <Input
            readOnly
            aria-label={t("link")}
            value={link ?? ""}
            className="num text-sm"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={link ?? ""} what={t("link")} />
        </div>
        <DialogActions>
          <Button look="go" onClick={() => setLink(null)}>
            {t("saved")}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function InviteForm({ onClose, onMade }: { onClose: () => void; onMade: (link: string) => void }) {
  const t = useTranslations("operator.invites");
  const write = useOperatorWrite(inviteEndpoints.createInvite);
  const form = useOperatorForm({
    start: { note: "", points: "", days: "7" },
    problemsOf: ({ days }) => ({ days: ifEmpty(days, t("daysMissing")) }),
    send: ({ note, points, days }) =>
      write.mutateAsync({
        body: { note: note.trim() || null, points: points.trim() || null, days: Number(days) },
      }),
    onDone: ({ link }) => {
      onClose();
      onMade(link);
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={t("invite")} note={t("note")} go={t("make")}>
      <TextField
        label={t("for")}
        hint={t("forHint")}
        maxLength={NOTE_LENGTH_MAX}
        {...form.field("note")}
      />
      <PointsField label={t("points")} hint={t("pointsHint")} {...form.field("points")} />
      <TextField
        label={t("days")}
        hint={t("daysHint")}
        isNumber
        maxLength={String(INVITE_DAYS_MAX).length}
        {...form.field("days")}
      />
    </FormDialog>
  );
}
