import { useTranslations } from "next-intl";
import { useOperatorWrite } from "@/lib/client/write";
import { type GroupView, groupEndpoints } from "@/lib/contract/operator-groups";
import { OperatorAskDialog } from "../operator-ask-dialog";

/** A group with accounts is not deleted. */
export function DeleteGroupDialog({ group, onClose }: { group: GroupView; onClose: () => void }) {
  const t = useTranslations("operator.groups");
  const remove = useOperatorWrite(groupEndpoints.deleteGroup);
  const isEmpty = group.members === 0;
  return (
    <OperatorAskDialog
      send={() => remove.mutateAsync({ id: group.id })}
      done={() => t("deleted")}
      onClose={onClose}
      title={t("deleteLabel", { name: group.name })}
      note={isEmpty ? t("deleteNote") : t("deleteFirst", { count: group.members })}
      go={t("delete")}
      isDangerous
      isOff={!isEmpty}
    />
  );
}
