"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { type GroupView, groupEndpoints } from "@/lib/contract/operator-groups";
import { useOperatorForm } from "../use-operator-form";

/** A group with accounts is not deleted. */
export function DeleteGroupDialog({ group, onClose }: { group: GroupView; onClose: () => void }) {
  const t = useTranslations("operator.groups");
  const remove = useOperatorWrite(groupEndpoints.deleteGroup);
  const form = useOperatorForm({
    start: {},
    send: () => remove.mutateAsync({ id: group.id }),
    onDone: () => {
      onClose();
      showToast(t("deleted"));
    },
  });
  const isEmpty = group.members === 0;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("deleteLabel", { name: group.name })}
      note={isEmpty ? t("deleteNote") : t("deleteFirst", { count: group.members })}
      go={t("delete")}
      isDangerous
      isOff={!isEmpty}
    />
  );
}
