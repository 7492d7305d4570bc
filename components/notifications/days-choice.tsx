import { useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { Options, Select } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useChooseNotifications } from "@/lib/client/notifications";

const offered = [1, 2, 3, 5, 7, 14, 30];

/** For how many days the balance must last at the recent rate. */
export function DaysChoice({ days }: { days: number | null }) {
  const t = useTranslations("notifications");
  const showFailure = useFailureToast();
  const choose = useChooseNotifications();
  const shown = choose.isPending ? choose.variables.lowBalanceDays : days;
  const all = days === null || offered.includes(days) ? offered : [...offered, days];
  const change = (text: string) =>
    choose.mutate(
      { lowBalanceDays: text === "" ? null : Number(text) },
      { onSuccess: () => showToast(t("saved")), onError: showFailure },
    );
  return (
    <div className="max-w-sm">
      <Field
        label={t("days")}
        hint={t.rich("daysHint", {
          settings: (text) => (
            <Link href="/settings#notices" className="underline underline-offset-3">
              {text}
            </Link>
          ),
        })}
      >
        {(control) => (
          <Select {...control} value={shown ?? ""} onChange={(event) => change(event.target.value)}>
            <option value="">{t("daysNever")}</option>
            <Options of={all} name={(count) => t("daysCount", { count })} />
          </Select>
        )}
      </Field>
    </div>
  );
}
