"use client";

import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { INVITE_DAYS_MAX, NOTE_LENGTH_MAX, POINTS_LENGTH_MAX } from "@/lib/contract/limits";
import { createInviteResponse } from "@/lib/contract/operator-accounts";
import { ChangeDialog, TextField, useFields } from "./change-dialog";

/** Makes a link for one sign-up; it is shown once. */
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
        onOpenChange={() => setLink(null)}
        isDismissible={false}
        title={t("madeTitle")}
        description={t("madeNote")}
      >
        <div className="flex gap-2">
          <Input readOnly aria-label={t("link")} value={link ?? ""} className="num text-sm" onFocus={(event) => event.target.select()} />
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
  const write = useOperatorWrite("/api/admin/invites", createInviteResponse);
  const { values, set, check, missing } = useFields({ note: "", points: "", days: "7" });
  const submit = () => {
    if (!check("days")) return;
    const body = { note: values.note.trim() || null, points: values.points.trim() || null, days: Number(values.days) };
    write.mutate(body, {
      onSuccess: ({ link }) => {
        onClose();
        onMade(link);
      },
    });
  };
  return (
    <ChangeDialog isOpen onClose={onClose} title={t("invite")} note={t("note")} go={t("make")} write={write} onSubmit={submit}>
      <TextField label={t("for")} hint={t("forHint")} value={values.note} onChange={set("note")} maxLength={NOTE_LENGTH_MAX} />
      <TextField
        label={t("points")}
        hint={t("pointsHint")}
        isNumber
        value={values.points}
        onChange={set("points")}
        maxLength={POINTS_LENGTH_MAX}
      />
      <TextField
        label={t("days")}
        hint={t("daysHint")}
        isNumber
        value={values.days}
        onChange={set("days")}
        maxLength={String(INVITE_DAYS_MAX).length}
        error={missing("days", t("daysMissing"))}
      />
    </ChangeDialog>
  );
}
