import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { closing } from "@/components/ui/toast";
import { groupsQuery } from "@/lib/client/operator-groups";
import { useOperatorWrite } from "@/lib/client/write";
import { REASON_LENGTH_MAX } from "@/lib/contract/limits";
import { type AccountView, accountEndpoints } from "@/lib/contract/operator-accounts";
import { LoadedSelect } from "./loaded-select";
import { useOperatorForm } from "./use-operator-form";

interface AccountGroupDialogProps {
  account: AccountView["account"];
  onClose: () => void;
}

export function AccountGroupDialog({ account, onClose }: AccountGroupDialogProps) {
  const t = useTranslations("operator.account");
  const query = useQuery(groupsQuery);
  const write = useOperatorWrite(accountEndpoints.changeAccountGroup);
  const form = useOperatorForm({
    start: { group: account.group?.id ?? "", reason: "" },
    problemsOf: ({ reason }) => ({ reason: ifEmpty(reason, t("reasonMissing")) }),
    send: ({ group, reason }) =>
      write.mutateAsync({
        id: account.id,
        body: { group: group || null, reason: reason.trim() },
      }),
    onDone: closing(onClose, t("groupChanged")),
  });
  const groups = query.data?.groups ?? (account.group ? [account.group] : []);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("changeGroup")}
      note={t("groupNote")}
      go={t("change")}
    >
      <LoadedSelect
        label={t("group")}
        query={query}
        of={groups}
        none={t("noGroup")}
        {...form.field("group")}
      />
      <TextField label={t("reason")} maxLength={REASON_LENGTH_MAX} {...form.field("reason")} />
    </FormDialog>
  );
}
