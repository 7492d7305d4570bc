import { useTranslations } from "next-intl";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Notice } from "@/components/ui/notice";
import { PointsText } from "@/components/ui/points-text";
import { SupportContact } from "@/components/ui/support-contact";
import { forgetPerson } from "@/lib/client/forget-person";
import { closeAccount } from "@/lib/client/recovery";
import type { Me } from "@/lib/contract/me";
import type { Help } from "./help";

interface DeleteFormProps {
  me: Me;
  help: Help;
  onCancel: () => void;
}

/** What is erased and what is kept, and the two confirmations. */
export function DeleteForm({ me, help, onCancel }: DeleteFormProps) {
  const t = useTranslations("settings");
  const { available, openHolds } = me.balance;
  const hasPoints = /[1-9]/.test(available);
  const form = useServerForm({
    start: { email: "", losesPoints: false },
    send: ({ email, losesPoints }) => closeAccount(email.trim(), losesPoints),
    onDone: () => {
      forgetPerson(me.user.id);
      // A full page load, so that nothing of the account stays in memory.
      window.location.assign("/");
    },
    leavesPage: true,
  });
  const { email, losesPoints } = form.watch();
  const isSure = email.trim().toLowerCase() === me.user.email && (losesPoints || !hasPoints);
  return (
    <DialogForm
      form={form}
      go={t("deleteGo")}
      isDangerous
      isOff={!isSure || openHolds > 0}
      onCancel={onCancel}
    >
      <div className="grid gap-2 text-sm">
        <p>{t("deleteErased")}</p>
        <p className="text-muted">{t("deleteKept")}</p>
      </div>
      {openHolds > 0 ? (
        <Notice tone="bad">{t("deleteRunning", { count: openHolds })}</Notice>
      ) : null}
      {hasPoints ? (
        <label className="flex items-start gap-2.5 text-sm">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-(--ink)"
            checked={losesPoints}
            onChange={(event) => form.change({ losesPoints: event.target.checked })}
          />
          <span>
            {t.rich("deletePoints", {
              points: () => <PointsText value={available} className="font-medium" />,
              contact: () => <SupportContact contact={help.contact} />,
            })}
          </span>
        </label>
      ) : null}
      <TextField
        label={t.rich("deleteType", {
          email: () => <b className="wrap-anywhere">{me.user.email}</b>,
        })}
        type="email"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field("email")}
      />
    </DialogForm>
  );
}
