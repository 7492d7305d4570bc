import { useTranslations } from "next-intl";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useChooseNotifications } from "@/lib/client/notifications";
import type { NotificationChoices } from "@/lib/contract/notifications";

interface ChoiceRowProps {
  choice: NotificationChoices["kinds"][number];
}

export function ChoiceRow({ choice: { kind, byMail } }: ChoiceRowProps) {
  const t = useTranslations("notifications");
  const showFailure = useFailureToast();
  const choose = useChooseNotifications();
  const shown = choose.isPending ? !byMail : byMail;
  const change = () =>
    choose.mutate(
      { mails: [{ kind, byMail: !byMail }] },
      { onSuccess: () => showToast(t("saved")), onError: showFailure },
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
