/** What notifications say, by kind: the form of `notification.data`, which webhooks send as it is. */
import { z } from "zod";
import { budgetPeriods, type NotificationKind, openTaskStatuses, taskStatuses } from "./states";
import { planFailures, topupPauses } from "./topup-states";

const TEXT_MAX = 3000;
const LIST_MAX = 50;
const text = z.string().max(TEXT_MAX);
/** Points as text, such as `12.5`. */
const points = z.string().max(40);
const more = z.number();
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(LIST_MAX);
/** A budget that is used to `percent`, 80 or 100. */
const usedBudget = { percent: z.number(), spent_points: points, budget_points: points };
const memberBudget = { id: text, email: text, limit: z.enum(budgetPeriods), ...usedBudget };
/** Points per million tokens. */
const listPrice = z.object({ input_points: points, output_points: points });
const priceChange = z.object({
  model: text,
  effective_at: text,
  from: listPrice,
  to: listPrice,
  /** Whether rates of other units change. */
  other_rates: z.boolean(),
});
/** Where something happened: a channel, or one of its several credentials. */
const place = { channel: text, name: text, credential: text.nullable() };
/** `error`: status and codes. */
const trouble = z.object({ ...place, error: text, since: text });
/** In the upstream's currency. */
const upstreamAmounts = z.object({
  ...place,
  since: text,
  balance: text,
  below: text,
  currency: text,
});
/** `plan`: whose period it pays, if it pays one. */
const payment = z.object({
  payment: text,
  points,
  amount: z.number(),
  currency: text,
  plan: text.optional(),
});

export const dataOf = {
  balance_low: z.object({
    available_points: points,
    below_points: points,
    days_left: z.number().nullable(),
  }),
  key_budget: z.object({
    keys: list(
      z.object({
        id: text,
        name: text,
        limit: z.enum(["lifetime", ...budgetPeriods]),
        ...usedBudget,
      }),
    ),
    more,
  }),
  member_budget: z.object({
    members: list(z.object(memberBudget)),
    more,
  }),
  tag_budget: z.object({
    tags: list(z.object({ tag: text, limit: z.enum(budgetPeriods), ...usedBudget })),
    more,
  }),
  own_budget: z.object({ ...memberBudget, renews_at: text }),
  key_paused: z.object({
    keys: list(
      z.object({
        id: text,
        name: text,
        spent_points: points,
        hourly_max_points: points.nullable(),
      }),
    ),
  }),
  key_expiring: z.object({
    keys: list(z.object({ id: text, name: text, kind: text, expires_at: text })),
    more,
  }),
  points_ending: z.object({
    lots: list(z.object({ lot: text, reason: text, left_points: points, ends_at: text })),
    more,
  }),
  payment_paid: payment,
  payment_failed: payment,
  topup_paused: z.object({ reason: z.enum(topupPauses), card: text }),
  /** `retry_at` null: a person must pay. `ends_at` null: the plan has ended. */
  plan_unpaid: z.object({
    id: text,
    plan: text,
    reason: z.enum(planFailures),
    amount: z.number(),
    currency: text,
    retry_at: text.nullable(),
    ends_at: text.nullable(),
  }),
  task_finished: z.object({
    task: text,
    model: text,
    status: z.enum(taskStatuses).exclude([...openTaskStatuses]),
  }),
  device_new: z.object({
    email: text,
    address: text.nullable(),
    user_agent: text.nullable(),
    at: text,
  }),
  price_change: z.object({ models: list(priceChange), more }),
  webhook_paused: z.object({ webhook: text, url: text }),
  channel_down: trouble,
  channel_back: z.object({ ...place, since: text }),
  credential_refused: trouble,
  upstream_balance: trouble,
  upstream_low: upstreamAmounts,
  upstream_refilled: upstreamAmounts,
  audit_failed: z.object({ run: text, failed: z.number() }),
  spool_used: z.object({ node: text, ends: z.number(), since: text }),
} as const satisfies Record<NotificationKind, z.ZodType>;
