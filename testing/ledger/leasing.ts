/** Requests for the tests of points leases. */
import type pg from "pg";
import { expect } from "vitest";
import type { OpenLedger } from "@/lib/ledger/ledger";
import type { HoldRequest } from "@/lib/ledger/verbs";
import { holdOf, releaseOf, type SeededAccount, settleOf } from "./test-ledger";

/** A hold that may be opened in memory. */
export const leasable = (account: SeededAccount, amount: bigint): HoldRequest =>
  holdOf(account, amount, { mayLease: true });

const numberOf = async (client: pg.Client, sql: string, values: unknown[]) =>
  Number((await client.query<{ n: string }>(sql, values)).rows[0]?.n);

export const leasedOf = (client: pg.Client, { accountId }: SeededAccount): Promise<number> =>
  numberOf(client, "select leased as n from wallet where account_id = $1", [accountId]);

/** How many operations of the account were written together with their ends. */
export const wholeOf = (client: pg.Client, { accountId }: SeededAccount): Promise<number> =>
  numberOf(client, "select count(*) as n from operation where account_id = $1 and is_whole", [
    accountId,
  ]);

/** Requests, one after the other, until `isEnough`; each fourth is released. */
export async function requests(
  ledger: OpenLedger,
  account: SeededAccount,
  isEnough: (done: number) => boolean | Promise<boolean>,
): Promise<HoldRequest[]> {
  const done: HoldRequest[] = [];
  while (!(await isEnough(done.length))) {
    const hold = leasable(account, 50n);
    expect(await ledger.openHold(hold)).toMatchObject({ result: "held", amount: 50n });
    const isRelease = done.length % 4 === 3;
    const end = await (isRelease
      ? ledger.release(releaseOf(hold))
      : ledger.settle(settleOf(hold, 7n)));
    expect(end.amount).toBe(isRelease ? 0n : 7n);
    done.push(hold);
  }
  return done;
}

/** Requests until the process opens holds in memory. */
export const warmUp = (
  client: pg.Client,
  ledger: OpenLedger,
  account: SeededAccount,
): Promise<HoldRequest[]> =>
  requests(ledger, account, async (done) => done % 8 === 0 && (await wholeOf(client, account)) > 0);

/**
 * Every one of the requests has one end, and the wallet lost exactly what they were charged.
 * `reader` is any ledger of the database.
 */
export async function expectExact(
  client: pg.Client,
  reader: OpenLedger,
  account: SeededAccount,
  done: readonly HoldRequest[],
  start: bigint,
): Promise<void> {
  const { rows } = await client.query<{ n: number; charged: string }>(
    "select count(*)::int as n, coalesce(sum(amount), 0) as charged from settlement where operation_id = any($1::uuid[])",
    [done.map(({ operationId }) => operationId)],
  );
  expect(rows[0]?.n).toBe(done.length);
  expect(await reader.balance(account.accountId)).toEqual({
    available: start - BigInt(rows[0]?.charged ?? 0),
    held: 0n,
  });
}
