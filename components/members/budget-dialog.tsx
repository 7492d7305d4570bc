"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { showToast } from "@/components/ui/toast";
import { useSetBudget } from "@/lib/client/members";
import { ZONE_LENGTH_MAX } from "@/lib/contract/limits";
import type { MemberView } from "@/lib/contract/members";
import type { BudgetPeriod } from "@/lib/contract/states";
import { parsePoints, shortDecimal } from "@/lib/money/points";

const fields = ["budgetDay", "budgetWeek", "budgetMonth"] as const;
const firstZone = "UTC";

const amountOrNull = (text: string) => (text.trim() === "" ? null : text.trim());
const isNoAmount = (text: string) => text.trim() !== "" && parsePoints(text.trim()) === null;

/** What the member may spend in a day, a week and a month; an empty field is no budget. */
export function BudgetDialog({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const t = useTranslations("members");
  const set = useSetBudget();
  const { id, email, budgets, budgetZone } = member;
  const textOf = (period: BudgetPeriod) => {
    const found = budgets.find((each) => each.period === period);
    return found === undefined ? "" : shortDecimal(found.budget);
  };
  const form = useServerForm({
    start: {
      budgetDay: textOf("day"),
      budgetWeek: textOf("week"),
      budgetMonth: textOf("month"),
      budgetZone: budgetZone ?? firstZone,
    },
    problemsOf: (given) =>
      Object.fromEntries(
        fields.map((name) => [name, isNoAmount(given[name]) ? t("budgetProblem") : undefined]),
      ),
    send: (given) =>
      set.mutateAsync({
        id,
        budgetDay: amountOrNull(given.budgetDay),
        budgetWeek: amountOrNull(given.budgetWeek),
        budgetMonth: amountOrNull(given.budgetMonth),
        budgetZone: given.budgetZone.trim() || firstZone,
      }),
    onDone: () => {
      onClose();
      showToast(t("budgetSet", { email }));
    },
  });
  return (
    <FormDialog
      form={form}
      title={t("budgetTitle")}
      note={t("budgetNote", { email })}
      go={t("budgetSave")}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        {fields.map((name) => (
          <TextField
            key={name}
            label={t(name)}
            isNumber
            placeholder={t("noLimit")}
            {...form.field(name)}
          />
        ))}
      </div>
      <TextField
        label={t("budgetZone")}
        hint={t("budgetZoneNote")}
        spellCheck={false}
        maxLength={ZONE_LENGTH_MAX}
        {...form.field("budgetZone")}
      />
    </FormDialog>
  );
}
