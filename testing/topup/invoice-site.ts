/** A site with payments, and accounts whose business of now can be moved into the last month. */
import { makeInvoice, setBilling } from "@/lib/commands/invoices";
import { lastMonth } from "@/lib/invoices/due-months";
import { invoiceFiguresOf } from "@/lib/queries/invoice-figures";
import { showInvoice } from "@/lib/queries/invoices";
import { statementSums } from "@/lib/queries/statement-sums";
import {
  connect,
  holdOf,
  openTestLedger,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { startPaymentSite } from "./payment-site";

/** A day of the last month. */
const then = `(${lastMonth} + interval '20 days') at time zone 'UTC'`;

const moved: readonly (readonly [table: string, change: string, of: string])[] = [
  ["account", `created_at = ${then} - interval '1 hour'`, "id = $1"],
  ["ledger_entry", `created_at = ${then}`, "account_id = $1"],
  ["request", `ended_at = ${then}`, "account_id = $1"],
  ["usage_day", `day = (${then})::date`, "account_id = $1"],
  ["payment", `created_at = ${then}, paid_at = ${then}`, "account_id = $1 and paid_at is not null"],
  [
    "payment_event",
    `received_at = ${then}`,
    "intent_id in (select intent_id from payment where account_id = $1)",
  ],
];

const addPrice = `insert into price_version (model, input_price, output_price, created_by, effective_at)
  values ($1, 1000000, 2000000, 'test', clock_timestamp()) returning id`;
const details = { name: "Żółta Łódź GmbH", address: "Große Straße 1, Köln", taxNumber: "DE 1" };

export async function startInvoiceSite() {
  const payments = await startPaymentSite();
  const { deps, databaseUrl } = payments.site;
  const owner = await connect(databaseUrl);
  const ledger = await openTestLedger(databaseUrl);
  const {
    rows: [{ month }],
  } = await owner.query(`select to_char(${lastMonth}, 'YYYY-MM') as month`);
  const bill = (accountId: string, changes: Partial<typeof details> = {}) =>
    setBilling(deps, "user_1", { accountId, ...details, ...changes });
  return {
    ...{ payments, deps, owner, details, bill },
    month: String(month),
    /** Everything of the account, as if it had been done in the last month. */
    async moveBack(accountId: string): Promise<void> {
      for (const [table, change, of] of moved) {
        await owner.query(`alter table ${table} disable trigger user`);
        await owner.query(`update ${table} set ${change} where ${of}`, [accountId]);
        await owner.query(`alter table ${table} enable trigger user`);
      }
    },
    /** An account with points that was charged for requests to some models. */
    async customer(charges: Readonly<Record<string, bigint>> = {}): Promise<string> {
      const account = await seedAccount(owner, ledger, 100_000_000n);
      for (const [model, amount] of Object.entries(charges)) {
        const { rows } = await owner.query<{ id: string }>(addPrice, [model]);
        const hold = holdOf(account, amount, { model, priceVersionId: rows[0]?.id ?? "" });
        await ledger.openHold(hold);
        await ledger.settle(settleOf(hold, amount));
      }
      return account.accountId;
    },
    async make(accountId: string) {
      const wanted = { accountId, month: String(month), figuresOf: invoiceFiguresOf };
      const id = await makeInvoice(deps, "user_1", wanted);
      return showInvoice(deps, { accountId, id });
    },
    /** The statement of the same days. */
    async statement(accountId: string) {
      const { rows } = await owner.query<{ last: string }>(
        `select to_char(${lastMonth} + interval '1 month - 1 day', 'YYYY-MM-DD') as last`,
      );
      return statementSums(deps.pool, accountId, { from: `${month}-01`, to: rows[0]?.last ?? "" });
    },
    async close() {
      await ledger.close();
      await owner.end();
      await payments.close();
    },
  };
}
