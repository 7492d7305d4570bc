import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { TextField } from "@/components/forms/text-field";
import { ZONE_LENGTH_MAX } from "@/lib/contract/limits";
import type { BudgetPeriod } from "@/lib/contract/states";
import { parsePoints, shortDecimal } from "@/lib/money/points";

const fields = ["budgetDay", "budgetWeek", "budgetMonth"] as const;
const firstZone = "UTC";

export type BudgetTexts = Record<(typeof fields)[number] | "budgetZone", string>;

export function budgetTexts(
  budgets: readonly { readonly period: BudgetPeriod; readonly budget: string }[],
  zone: string | null,
): BudgetTexts {
  const textOf = (period: BudgetPeriod) => {
    const found = budgets.find((each) => each.period === period);
    return found === undefined ? "" : shortDecimal(found.budget);
  };
  return {
    budgetDay: textOf("day"),
    budgetWeek: textOf("week"),
    budgetMonth: textOf("month"),
    budgetZone: zone ?? firstZone,
  };
}

const amountOrNull = (text: string) => (text.trim() === "" ? null : text.trim());

/** What is sent; an empty field is no budget. */
export const givenBudgets = (given: BudgetTexts) => ({
  budgetDay: amountOrNull(given.budgetDay),
  budgetWeek: amountOrNull(given.budgetWeek),
  budgetMonth: amountOrNull(given.budgetMonth),
  budgetZone: given.budgetZone.trim() || firstZone,
});

const isNoAmount = (text: string) => text.trim() !== "" && parsePoints(text.trim()) === null;

export const budgetProblems = (given: BudgetTexts, problem: string) =>
  Object.fromEntries(fields.map((name) => [name, isNoAmount(given[name]) ? problem : undefined]));

/** The amounts for a day, a week and a month, and the zone of all. */
export function BudgetFields({
  form,
}: {
  form: {
    field: (name: keyof BudgetTexts) => Omit<ComponentProps<typeof TextField>, "label">;
  };
}) {
  const t = useTranslations("members");
  return (
    <>
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
    </>
  );
}
