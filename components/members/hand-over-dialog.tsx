import { useTranslations } from "next-intl";
import { AskDialog } from "@/components/forms/ask-dialog";
import { handOver } from "@/lib/client/members";
import type { MemberView } from "@/lib/contract/members";

export function HandOverDialog({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const t = useTranslations("members");
  return (
    <AskDialog
      send={() => handOver(member.id)}
      title={t("handOverTitle")}
      note={t("handOverNote", { email: member.email })}
      go={t("handOver")}
      isDangerous
      onClose={onClose}
    />
  );
}
