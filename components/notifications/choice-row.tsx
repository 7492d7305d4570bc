"use client";

import { useTranslations } from "next-intl";
import { useFailureText } from "@/components/ui/failure-text";
import { showToast } from "@/components/ui/toast";
import { useChooseNotifications } from "@/lib/client/notifications";
import type { NotificationChoices } from "@/lib/contract/notifications";

interface ChoiceRowProps {
  choice: NotificationChoices["kinds"][number];
}

export function ChoiceRow({ choice: { kind, byMail } }: ChoiceRowProps) {
  const t = useTranslations("notifications");
  const failureText = useFailureText();
  const choose = useChooseNotifications();
  const shown = choose.isPending ? !byMail : byMail;
  const change = () =>
    choose.mutate(
      { mails: [{ kind, byMail: !byMail }] },
      {
        onSuccess: () => showToast(t("saved")),
        onError: (error) => showToast(failureText(error), "bad"),
      },
    );
  return (
    <li>
      <label className="flex items-baseline gap-2.5 py-1">
        <input
          type="checkbox"
          className="size-4 translate-y-0.5 accent-(--ink)"
          checked={shown}
          onChange={change}
        />
        <span className="flex-1">{t(`kinds.${kind}`)}</span>
      </label>
    </li>
  );
}
