import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { closing } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/write";
import { REASON_LENGTH_MAX } from "@/lib/contract/limits";
import { accountEndpoints } from "@/lib/contract/operator-accounts";
import { OperatorAskDialog } from "./operator-ask-dialog";
import { useOperatorForm } from "./use-operator-form";

export function SuspendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(accountEndpoints.suspendAccount);
  const form = useOperatorForm({
    start: { reason: "" },
    problemsOf: ({ reason }) => ({ reason: ifEmpty(reason, t("reasonMissing")) }),
    send: ({ reason }) => write.mutateAsync({ id, body: { reason: reason.trim() } }),
    onDone: closing(onClose, t("suspendedDone")),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("suspendTitle")}
      note={t("suspendNote")}
      go={t("suspend")}
      isDangerous
    >
      <TextField
        label={t("reason")}
        hint={t("reasonShown")}
        maxLength={REASON_LENGTH_MAX}
        {...form.field("reason")}
      />
    </FormDialog>
  );
}

export function ResumeDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations("operator.account");
  const write = useOperatorWrite(accountEndpoints.resumeAccount);
  return (
    <OperatorAskDialog
      send={() => write.mutateAsync({ id })}
      done={() => t("resumedDone")}
      onClose={onClose}
      title={t("resumeTitle")}
      note={t("resumeNote")}
      go={t("resume")}
    />
  );
}
