import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { KeepsKeys } from "@/components/lists/keeps-keys";
import { closing } from "@/components/ui/toast";
import { useChangeRole } from "@/lib/client/members";
import { may } from "@/lib/contract/member-roles";
import type { GivenRole, MemberView } from "@/lib/contract/members";
import { RoleField } from "./role-field";

export function RoleDialog({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const t = useTranslations("members");
  const change = useChangeRole();
  const { id, email, keys } = member;
  const before: GivenRole = member.role === "owner" ? "admin" : member.role;
  const form = useServerForm({
    start: { role: before, keepsKeys: false },
    send: (given) => change.mutateAsync({ id, ...given }),
    onDone: closing(onClose, t("roleChanged", { email })),
  });
  const { role, keepsKeys } = form.watch();
  return (
    <FormDialog
      form={form}
      title={t("roleTitle")}
      note={t("roleNote", { email })}
      go={t("changeRole")}
      isOff={role === before}
      onClose={onClose}
    >
      <RoleField role={role} onChange={(next) => form.change({ role: next })} />
      {may(role, "makeKeys") ? null : (
        <KeepsKeys
          texts="members"
          keys={keys}
          keepsKeys={keepsKeys}
          onChange={(next) => form.change({ keepsKeys: next })}
        />
      )}
    </FormDialog>
  );
}
