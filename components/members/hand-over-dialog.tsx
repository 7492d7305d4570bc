"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { handOver } from "@/lib/client/members";
import type { MemberView } from "@/lib/contract/members";

export function HandOverDialog({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const t = useTranslations("members");
  const form = useServerForm({ start: {}, send: () => handOver(member.id), onDone: onClose });
  return (
    <FormDialog
      form={form}
      title={t("handOverTitle")}
      note={t("handOverNote", { email: member.email })}
      go={t("handOver")}
      isDangerous
      onClose={onClose}
    />
  );
}
