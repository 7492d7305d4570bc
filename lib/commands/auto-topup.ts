/** Commands about automatic top-ups: the terms that an account's people agree to. */
import { type AuditFields, recordAction } from "../accounts/actions";
import { AUTO_TOPUP_MONTH_MAX } from "../contract/limits";
import { inTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { formatPoints, type Micropoints } from "../money/points";
import { assertAutoTopupOn } from "../topup/auto-topup-switch";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "pool">;

interface Terms {
  readonly accountId: string;
  readonly packageId: string;
  /** Below this many points the package is bought. */
  readonly threshold: Micropoints;
  /** In the smallest unit of the package's currency. */
  readonly monthMax: number;
}

interface TermsRow {
  readonly is_on: boolean;
  readonly package_id: string | null;
  readonly threshold: string | null;
  readonly month_max: string | null;
  readonly card_id: string | null;
}

interface PackageRow {
  readonly points: string;
  readonly amount: string;
  readonly currency: string;
}

const said = (row: Omit<TermsRow, "card_id"> | undefined): AuditFields => ({
  isEnabled: row?.is_on ?? false,
  package: row?.package_id ?? null,
  threshold: row?.threshold == null ? null : formatPoints(BigInt(row.threshold)),
  monthMax: row?.month_max == null ? null : Number(row.month_max),
});

function assertTerms({ threshold, monthMax }: Terms, sold: PackageRow): void {
  const points = BigInt(sold.points);
  if (threshold < 1n || threshold > points)
    throw invalidValue(
      "threshold",
      `The threshold is ${formatPoints(threshold)} points; it must be above 0 and at most the package's ${formatPoints(points)}.`,
    );
  const least = Number(sold.amount);
  if (!Number.isInteger(monthMax) || monthMax < least || monthMax > AUTO_TOPUP_MONTH_MAX)
    throw invalidValue(
      "monthMax",
      `The most a month is ${monthMax}; it must be a whole number from the package's price, ${least}, to ${AUTO_TOPUP_MONTH_MAX}, in the currency's smallest unit.`,
    );
}

const lock =
  "select is_on, package_id, threshold, month_max, card_id from auto_topup where account_id = $1 for update";

/**
 * Turns automatic top-up on, with terms that are copied from the package as it is now, and ends a
 * pause. Rejects with `account_suspended`, `invalid_value`, and `not_found` while it is switched off.
 */
export async function setAutoTopup({ pool }: Deps, actor: string, terms: Terms): Promise<void> {
  const { accountId, packageId, threshold, monthMax } = terms;
  await assertAutoTopupOn(pool);
  return inTransaction(pool, async (client) => {
    const account = await client.query(
      "select from account where id = $1 and status = 'active' for share",
      [accountId],
    );
    if (account.rowCount !== 1) throw new RelayError("account_suspended");
    const { rows } = await client.query<TermsRow>(lock, [accountId]);
    const [before] = rows;
    if (before == null || before.card_id === null)
      throw invalidValue("card", "No card is saved. Save a card first.");
    const { rows: packages } = await client.query<PackageRow>(
      "select points, amount, currency from topup_package where id = $1 and is_enabled",
      [packageId],
    );
    const [sold] = packages;
    if (sold === undefined) throw invalidValue("packageId", "This package is not sold.");
    assertTerms(terms, sold);
    await client.query(
      `update auto_topup set is_on = true, package_id = $2, points = $3, amount = $4, currency = $5, threshold = $6, month_max = $7,
              paused = null, paused_at = null, failures = 0, retry_at = null, updated_at = now() where account_id = $1`,
      [accountId, packageId, sold.points, sold.amount, sold.currency, threshold, monthMax],
    );
    await recordAction(client, actor, "auto_topup.set", accountId, {
      before: said(before),
      after: {
        isEnabled: true,
        package: packageId,
        threshold: formatPoints(threshold),
        monthMax,
        amount: Number(sold.amount),
        currency: sold.currency,
      },
    });
  });
}

/** Turns automatic top-up off; a charge that was sent is still finished. Repeating changes nothing. */
export function stopAutoTopup(
  { pool }: Deps,
  actor: string,
  { accountId }: { accountId: string },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<TermsRow>(lock, [accountId]);
    const [before] = rows;
    if (before?.is_on !== true) return;
    await client.query(
      "update auto_topup set is_on = false, paused = null, paused_at = null, updated_at = now() where account_id = $1",
      [accountId],
    );
    await recordAction(client, actor, "auto_topup.off", accountId, {
      before: said(before),
      after: { isEnabled: false },
    });
  });
}
