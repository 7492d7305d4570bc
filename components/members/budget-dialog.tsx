import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { closing } from "@/components/ui/toast";
import { useSetBudget } from "@/lib/client/members";
import type { MemberView } from "@/lib/contract/members";
import { BudgetFields, budgetProblems, budgetTexts, givenBudgets } from "./budget-fields";

/** What the member may spend in a day, a week and a month; an empty field is no budget. */
export function BudgetDialog({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const t = useTranslations("members");
  const set = useSetBudget();
  const { id, email, budgets, budgetZone } = member;
  const form = useServerForm({
    start: budgetTexts(budgets, budgetZone),
    problemsOf: (given) => budgetProblems(given, t("budgetProblem")),
    send: (given) => set.mutateAsync({ id, ...givenBudgets(given) }),
    onDone: closing(onClose, t("budgetSet", { email })),
  });
  return (
    <FormDialog
      form={form}
      title={t("budgetTitle")}
      note={t("budgetNote", { email })}
      go={t("budgetSave")}
      onClose={onClose}
    >
      <BudgetFields form={form} />
    </FormDialog>
  );
}
