import { useTranslations } from "next-intl";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import { useChangeAccount } from "@/lib/client/settings";
import { parsePoints, shortDecimal } from "@/lib/money/points";

const isFair = (text: string) => text === "" || (parsePoints(text) ?? 0n) > 0n;

/** Sets the number of available points below which the pages show a notice. */
export function LowBalanceForm({ notice }: { notice: string | null }) {
  const t = useTranslations("settings");
  const change = useChangeAccount();
  const form = useServerForm({
    start: { lowBalanceNotice: notice === null ? "" : shortDecimal(notice) },
    problemsOf: ({ lowBalanceNotice }) => ({
      lowBalanceNotice: isFair(lowBalanceNotice.trim()) ? undefined : t("lowBalanceProblem"),
    }),
    send: ({ lowBalanceNotice }) =>
      change.mutateAsync({ lowBalanceNotice: lowBalanceNotice.trim() || null }),
    onDone: (_, { lowBalanceNotice }) =>
      showToast(t(lowBalanceNotice.trim() === "" ? "noticeOff" : "noticeSaved")),
  });
  return (
    <Form form={form} className="max-w-sm">
      <TextField
        label={t("lowBalance")}
        hint={t("lowBalanceHint")}
        isNumber
        {...form.field("lowBalanceNotice")}
      />
      <FormFailure text={form.failure} />
      <Button type="submit" isBusy={form.isBusy} className="justify-self-start">
        {t("saveNotice")}
      </Button>
    </Form>
  );
}
