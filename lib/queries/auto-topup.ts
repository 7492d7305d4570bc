/** The saved card of an account, and what automatic top-up does with it. Read-only. */
import type { AutoTopupView } from "../contract/auto-topup";
import type { TopupPause } from "../contract/topup-states";
import { formatPoints } from "../money/points";
import { isAutoTopupOn } from "../topup/auto-topup-switch";
import { chargedThisMonth } from "../topup/open-charges";
import type { QueryDeps } from "./query-deps";

interface Row {
  readonly account_id: string;
  readonly is_on: boolean;
  readonly card_brand: string | null;
  readonly card_last4: string | null;
  readonly card_expires: string | null;
  readonly package_id: string | null;
  readonly package_name: string | null;
  readonly points: string;
  readonly amount: string;
  readonly currency: string;
  readonly threshold: string;
  readonly month_max: string;
  readonly paused: TopupPause | null;
  readonly charged: string;
  readonly is_pending: boolean;
  readonly waits: boolean;
}

const columns = `select a.*, t.name as package_name, ${chargedThisMonth} as charged, coalesce(a.retry_at > now(), false) as waits,
    exists (select from auto_topup_charge o where o.account_id = a.account_id and o.account_plan_id is null and o.ended_at is null) as is_pending
  from auto_topup a left join topup_package t on t.id = a.package_id`;

function stateOf(row: Row, isSwitchedOn: boolean): AutoTopupView["state"] {
  if (row.card_last4 === null) return "no_card";
  if (!row.is_on) return "off";
  if (row.is_pending) return "pending";
  if (row.paused !== null) return "paused";
  if (!isSwitchedOn) return "switched_off";
  if (BigInt(row.charged) + BigInt(row.amount) > BigInt(row.month_max)) return "month_reached";
  return row.waits ? "retry" : "on";
}

function viewOf(row: Row, isSwitchedOn: boolean): AutoTopupView {
  const { card_brand: brand, card_last4: last4, card_expires: expires } = row;
  return {
    state: stateOf(row, isSwitchedOn),
    card: brand && last4 && expires ? { brand, last4, expires } : null,
    paused: row.paused,
    terms:
      row.package_id === null
        ? null
        : {
            packageId: row.package_id,
            packageName: row.package_name ?? row.package_id,
            points: formatPoints(BigInt(row.points)),
            amount: Number(row.amount),
            currency: row.currency,
            threshold: formatPoints(BigInt(row.threshold)),
            monthMax: Number(row.month_max),
            monthCharged: Number(row.charged),
          },
  };
}

type Deps = Pick<QueryDeps, "pool">;

/** The account's own; without a saved card there is nothing else. */
export async function showAutoTopup(
  deps: Deps,
  { accountId }: { accountId: string },
): Promise<AutoTopupView> {
  const { rows } = await deps.pool.query<Row>(`${columns} where a.account_id = $1`, [accountId]);
  if (rows[0] !== undefined) return viewOf(rows[0], await isAutoTopupOn(deps.pool));
  return { state: "no_card", card: null, paused: null, terms: null };
}

const LISTED_MAX = 100;

/** Of all accounts that saved a card, by account; at most 100 after `cursor`. */
export async function listAutoTopups(
  deps: Deps,
  { cursor }: { cursor?: string | undefined },
): Promise<(AutoTopupView & { accountId: string })[]> {
  const { rows } = await deps.pool.query<Row>(
    `${columns} where a.card_id is not null and ($1::text is null or a.account_id > $1) order by a.account_id limit ${LISTED_MAX}`,
    [cursor ?? null],
  );
  const isOn = await isAutoTopupOn(deps.pool);
  return rows.map((row) => ({ accountId: row.account_id, ...viewOf(row, isOn) }));
}
