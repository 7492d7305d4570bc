/** What users of new-api have paid for a time, beside their balance. It does not move. */
import { type Source, text, whole } from "./sources/source";

interface Subscription {
  /** What is left of it in quota; null for no limit. */
  readonly left: bigint | null;
  readonly endsAt: bigint;
  /** The group that it put its user in, and the one before; empty for none. */
  readonly group: string;
  readonly groupBefore: string;
}

/** Those that run, by the source's id of the user. */
export type Subscriptions = ReadonlyMap<string, readonly Subscription[]>;

export async function readSubscriptions(from: Source): Promise<Subscriptions> {
  const found = new Map<string, Subscription[]>();
  if (!(await from.has("user_subscriptions"))) return found;
  const now = BigInt(Math.floor(Date.now() / 1000));
  for await (const rows of from.rows("user_subscriptions"))
    for (const row of rows) {
      const endsAt = whole(row, "end_time");
      if (text(row, "status") !== "active" || endsAt <= now) continue;
      const [user, total] = [text(row, "user_id"), whole(row, "amount_total")];
      const own = found.get(user) ?? [];
      const left = total > 0n ? total - whole(row, "amount_used") : null;
      const [group, groupBefore] = [text(row, "upgrade_group"), text(row, "prev_user_group")];
      found.set(user, [...own, { left, endsAt, group, groupBefore }]);
    }
  return found;
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

const dayOf = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString().slice(0, 10);

export const saidOf = ({ left, endsAt }: Subscription): string =>
  `${left === null ? "no limit" : `${left} quota`} until ${dayOf(endsAt)}`;
