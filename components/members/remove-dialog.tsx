import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { KeepsKeys } from "@/components/lists/keeps-keys";
import { closing } from "@/components/ui/toast";
import { useRemoveMember } from "@/lib/client/members";
import type { MemberView } from "@/lib/contract/members";

export function RemoveDialog({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const t = useTranslations("members");
  const remove = useRemoveMember();
  const { id, email, keys } = member;
  const form = useServerForm({
    start: { keepsKeys: false },
    send: ({ keepsKeys }) => remove.mutateAsync({ id, keepsKeys }),
    onDone: closing(onClose, t("removed", { email })),
  });
  return (
    <FormDialog
      form={form}
      title={t("removeTitle")}
      note={t("removeNote", { email })}
      go={t("remove")}
      isDangerous
      onClose={onClose}
    >
      <KeepsKeys
        texts="members"
        keys={keys}
        keepsKeys={form.watch().keepsKeys}
        onChange={(keepsKeys) => form.change({ keepsKeys })}
      />
    </FormDialog>
  );
}
