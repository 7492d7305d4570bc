/** What users of new-api have paid for a time, beside their balance. */
import { invalidValue } from "../failures/relay-error";
import { isDeleted, type Source, text, whole } from "./sources/source";

export interface Subscription {
  readonly id: string;
  readonly userId: string;
  /** The source's id of its plan. */
  readonly planId: string;
  /** In quota, until it begins anew or ends; null for no limit. */
  readonly total: bigint | null;
  readonly left: bigint | null;
  /** When its quota begins anew, in seconds; 0 for never. */
  readonly resetsAt: bigint;
  readonly endsAt: bigint;
  /** The group that it put its user in, and the one before; empty for none. */
  readonly group: string;
  readonly groupBefore: string;
}

/** Those that run, by the source's id of the user, those that end last first. */
export type Subscriptions = ReadonlyMap<string, readonly Subscription[]>;

export async function readSubscriptions(from: Source): Promise<Subscriptions> {
  const found = new Map<string, Subscription[]>();
  if (!(await from.has("user_subscriptions"))) return found;
  const now = BigInt(Math.floor(Date.now() / 1000));
  for await (const rows of from.rows("user_subscriptions"))
    for (const row of rows) {
      const endsAt = whole(row, "end_time");
      if (text(row, "status") !== "active" || endsAt <= now) continue;
      const [userId, amount] = [text(row, "user_id"), whole(row, "amount_total")];
      const rest = amount - whole(row, "amount_used");
      const own = found.get(userId) ?? [];
      const [group, groupBefore] = [text(row, "upgrade_group"), text(row, "prev_user_group")];
      own.push({
        ...{ id: text(row, "id"), userId, planId: text(row, "plan_id") },
        total: amount > 0n ? amount : null,
        left: amount > 0n ? (rest > 0n ? rest : 0n) : null,
        ...{ resetsAt: whole(row, "next_reset_time"), endsAt, group, groupBefore },
      });
      found.set(userId, own);
    }
  for (const own of found.values())
    own.sort((one, other) => (one.endsAt < other.endsAt ? 1 : one.endsAt > other.endsAt ? -1 : 0));
  return found;
}

export interface PlanThere {
  readonly title: string;
  /** After how many hours its quota begins anew, or each month; null for never, or what we cannot say. */
  readonly resets: number | "month" | null;
}

const resetHours: Readonly<Record<string, number | "month">> = {
  daily: 24,
  weekly: 168,
  monthly: "month",
};

/** Their plans by their ids. Throws `invalid_value` where one is named that the source does not have. */
export async function readPlans(
  from: Source,
  named: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, PlanThere>> {
  const found = new Map<string, PlanThere>();
  if (await from.has("subscription_plans"))
    for await (const rows of from.rows("subscription_plans"))
      for (const row of rows.filter((each) => !isDeleted(each))) {
        const seconds = Number(whole(row, "quota_reset_custom_seconds"));
        const period = text(row, "quota_reset_period");
        const custom = period === "custom" && seconds > 0 ? seconds / 3600 : null;
        const resets = resetHours[period] ?? custom;
        found.set(text(row, "id"), { title: text(row, "title"), resets });
      }
  const unknown = [...named.keys()].find((id) => !found.has(id));
  if (unknown === undefined) return found;
  const all = [...found].map(([id, { title }]) => `${id} (${title})`).join(", ") || "none";
  throw invalidValue("plans", `The source has no plan ${unknown}. It has: ${all}.`);
}

/** The group of a user without the subscriptions that put them in another one. */
export function groupWithout(own: readonly Subscription[], group: string): string {
  let found = group;
  // Each leads at most one step back.
  for (let step = 0; step < own.length; step++)
    found =
      own.find((each) => each.group === found && each.groupBefore !== "")?.groupBefore ?? found;
  return found;
}
