import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { closing } from "@/components/ui/toast";
import { useChangeKey } from "@/lib/client/api-keys";
import { type KeyBudget, raised } from "@/lib/client/key-budgets";
import { shortPoints } from "@/lib/client/points-display";
import type { ApiKeyView } from "@/lib/contract/api-keys";
import { formatPoints, parsePoints, shortDecimal } from "@/lib/money/points";

const fields = {
  lifetime: "budget",
  day: "budgetDay",
  week: "budgetWeek",
  month: "budgetMonth",
} as const;

interface RaiseBudgetDialogProps {
  apiKey: ApiKeyView;
  budget: KeyBudget;
  onClose: () => void;
}

/** Says what the budget becomes, a step higher, and raises it. */
export function RaiseBudgetDialog({ apiKey, budget, onClose }: RaiseBudgetDialogProps) {
  const t = useTranslations("keys");
  const change = useChangeKey(apiKey.id);
  const name = fields[budget.period];
  const form = useServerForm<Record<string, string>, unknown>({
    start: { [name]: shortDecimal(formatPoints(raised(budget.budget))) },
    problemsOf: (given) => ({
      [name]: (parsePoints((given[name] ?? "").trim()) ?? 0n) > 0n ? undefined : t("raiseProblem"),
    }),
    send: (given) => change.mutateAsync({ [name]: (given[name] ?? "").trim() }),
    onDone: closing(onClose, t("changed", { name: apiKey.name })),
    context: "key",
  });
  return (
    <FormDialog
      form={form}
      title={t("raiseTitle", { name: apiKey.name })}
      note={t(`raiseNote.${budget.period}`, {
        spent: shortPoints(formatPoints(budget.budget - budget.left)),
        budget: shortPoints(formatPoints(budget.budget)),
      })}
      go={t("raise")}
      onClose={onClose}
    >
      <TextField label={t("raiseTo")} isNumber {...form.field(name)} />
    </FormDialog>
  );
}
