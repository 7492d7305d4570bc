"use client";

import { useTranslations } from "next-intl";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { doneResponse } from "@/lib/contract/operator-accounts";
import { ChangeDialog, TextField, useFields } from "./change-dialog";

const address = (id: string, verb: string) => `/api/admin/accounts/${encodeURIComponent(id)}/${verb}`;

export function SuspendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(address(id, "suspend"), doneResponse);
  const { values, set, check, missing } = useFields({ reason: "" });
  const submit = () => {
    if (!check("reason")) return;
    write.mutate(
      { reason: values.reason.trim() },
      {
        onSuccess: () => {
          onClose();
          showToast(t("suspendedDone"));
        },
      },
    );
  };
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t("suspendTitle")}
      note={t("suspendNote")}
      go={t("suspend")}
      isDangerous
      write={write}
      onSubmit={submit}
    >
      <TextField
        label={t("reason")}
        hint={t("reasonShown")}
        value={values.reason}
        onChange={set("reason")}
        error={missing("reason", t("reasonMissing"))}
      />
    </ChangeDialog>
  );
}

export function ResumeDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(address(id, "resume"), doneResponse);
  const submit = () =>
    write.mutate(undefined, {
      onSuccess: () => {
        onClose();
        showToast(t("resumedDone"));
      },
    });
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t("resumeTitle")}
      note={t("resumeNote")}
      go={t("resume")}
      write={write}
      onSubmit={submit}
    />
  );
}
