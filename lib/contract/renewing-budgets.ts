/** The budgets of a key or a member that renew, as pages show and set them. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { ZONE_LENGTH_MAX } from "./limits";
import { points, pointsInput } from "./points";
import { type BudgetPeriod, budgetPeriods } from "./states";
import { wireNamed } from "./wire-forms";

/** With what is left now. */
export const renewingBudgets = () =>
  answerRows(
    z.object({
      period: z.enum(budgetPeriods),
      budget: points,
      spent: points,
      held: points,
      left: points.clone().register(wireNamed, { name: "remaining_points" }),
      zone: answerText,
      renewsAt: moment,
    }),
  ).register(wireNamed, { name: "recurring_budgets" });

const budget = (period: BudgetPeriod) =>
  pointsInput
    .nullable()
    .optional()
    .register(wireNamed, { name: `${period}_budget_points` });

/** Absent: stays as it is. Null: none. */
export const givenBudgets = {
  budgetDay: budget("day"),
  budgetWeek: budget("week"),
  budgetMonth: budget("month"),
  budgetZone: z.string().min(1).max(ZONE_LENGTH_MAX).optional(),
};
