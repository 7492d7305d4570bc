import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { closing } from "@/components/ui/toast";
import { useSetTagBudget } from "@/lib/client/tags";
import type { TagBudgetView } from "@/lib/contract/tags";
import { BudgetFields, budgetProblems, budgetTexts, givenBudgets } from "./budget-fields";

interface TagBudgetDialogProps {
  tag: string;
  budgets: readonly TagBudgetView[];
  onClose: () => void;
}

/** What the requests with a tag may cost. `budgets`: those of the tag; none for a new one. */
export function TagBudgetDialog({ tag, budgets, onClose }: TagBudgetDialogProps) {
  const t = useTranslations("members");
  const set = useSetTagBudget();
  const form = useServerForm({
    start: { tag, ...budgetTexts(budgets, budgets[0]?.zone ?? null) },
    problemsOf: (given) => ({
      ...budgetProblems(given, t("budgetProblem")),
      tag: given.tag.includes("=") ? undefined : t("tagProblem"),
    }),
    send: (given) => set.mutateAsync({ tag: given.tag.trim(), ...givenBudgets(given) }),
    onDone: closing(onClose, t("tagBudgetSet")),
  });
  return (
    <FormDialog
      form={form}
      title={t("tagBudgetTitle")}
      note={t("tagBudgetNote")}
      go={t("budgetSave")}
      onClose={onClose}
    >
      <TextField
        label={t("tag")}
        hint={t("tagHint")}
        spellCheck={false}
        disabled={budgets.length > 0}
        {...form.field("tag")}
      />
      <BudgetFields form={form} />
    </FormDialog>
  );
}
