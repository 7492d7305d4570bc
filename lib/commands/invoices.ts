/** Invoices of months that are over, and what they name the buyer by. */
import { recordAction } from "../accounts/actions";
import type { BillingDetails, InvoiceFigures, Party } from "../contract/invoices";
import { newId } from "../crypto/ids";
import type { Reader } from "../db/pool";
import { inTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { dueMonths } from "../invoices/due-months";
import { readSeller } from "../live-settings/seller";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "pool">;

interface MonthOfAccount {
  readonly accountId: string;
  /** Such as `2026-10`. */
  readonly month: string;
}

/** The figures of a month, from the rows that the statement is made of. */
type FiguresOf = (
  reader: Reader,
  of: MonthOfAccount & { seller: Party; buyer: Party },
) => Promise<InvoiceFigures>;

const findAccount = `
select ($2 || '-01')::date + interval '1 month' + interval '1 hour' <= now() at time zone 'UTC' as is_over,
       ($2 || '-01')::date >= date_trunc('month', created_at at time zone 'UTC') as is_since,
       (select name from account_billing where account_id = $1) as name,
       coalesce((select address from account_billing where account_id = $1), '') as address,
       coalesce((select tax_number from account_billing where account_id = $1), '') as tax_number,
       (select id from invoice where account_id = $1 and month = ($2 || '-01')::date) as made
  from account where id = $1`;

interface AccountRow {
  readonly is_over: boolean;
  readonly is_since: boolean;
  readonly name: string | null;
  readonly address: string;
  readonly tax_number: string;
  readonly made: string | null;
}

/**
 * Makes the invoice of a month once and answers its id; later calls answer the same. The number
 * follows the last one of the installation. Rejects with `not_found`, and with `invalid_value` for
 * a month that is not over, or without billing details.
 */
export function makeInvoice(
  { pool }: Deps,
  actor: string,
  { accountId, month, figuresOf }: MonthOfAccount & { figuresOf: FiguresOf },
): Promise<string> {
  return inTransaction(pool, async (client) => {
    // One after the other for an account; what is read below is what the other one left.
    const locked = await client.query("select from account where id = $1 for no key update", [
      accountId,
    ]);
    if (locked.rowCount !== 1) throw new RelayError("not_found");
    const { rows } = await client.query<AccountRow>(findAccount, [accountId, month]);
    const [found] = rows;
    if (found === undefined) throw new RelayError("not_found");
    if (found.made !== null) return found.made;
    if (!found.is_over || !found.is_since)
      throw invalidValue(
        "month",
        `The month is ${month}; it must be one since the account's first that is over for an hour (UTC).`,
      );
    if (found.name === null)
      throw invalidValue("name", "Invoices name the buyer. Save the billing details first.");
    const seller = await readSeller(client);
    const buyer = { name: found.name, address: found.address, taxNumber: found.tax_number };
    const figures = await figuresOf(client, { accountId, month, seller, buyer });
    const id = newId("invoice");
    const made = await client.query<{ number: string }>(
      "insert into invoice (id, account_id, month, figures, number) values ($1, $2, ($3 || '-01')::date, $4, 0) returning number",
      [id, accountId, month, JSON.stringify(figures)],
    );
    await recordAction(client, actor, "invoice.make", accountId, {
      detail: { name: `${made.rows[0]?.number}`, month },
    });
    return id;
  });
}

const findDue = `${dueMonths} order by random() limit 20`;

/**
 * Makes the invoices of the last month for accounts with billing details that had any movement, a
 * few at a time. One failure does not stop the others. Safe to run anywhere, any time.
 */
export async function makeDueInvoices(
  deps: Deps,
  { figuresOf, actor = "system" }: { figuresOf: FiguresOf; actor?: string },
): Promise<number> {
  const { rows } = await deps.pool.query<{ account_id: string; month: string }>(findDue);
  const failures: unknown[] = [];
  for (const { account_id: accountId, month } of rows)
    await makeInvoice(deps, actor, { accountId, month, figuresOf }).catch((error: unknown) =>
      failures.push(error),
    );
  if (failures.length > 0) throw failures[0];
  return rows.length;
}

/** What invoices and receipts name the buyer by from now on. */
export function setBilling(
  { pool }: Deps,
  actor: string,
  { accountId, name, address, taxNumber }: BillingDetails & { accountId: string },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const account = await client.query(
      "select from account where id = $1 and status <> 'closed' for share",
      [accountId],
    );
    if (account.rowCount !== 1) throw new RelayError("not_found");
    await client.query(
      `insert into account_billing (account_id, name, address, tax_number) values ($1, $2, $3, $4)
       on conflict (account_id) do update set name = $2, address = $3, tax_number = $4, updated_at = now()`,
      [accountId, name, address, taxNumber],
    );
    // The log is kept for ever, so it has no names.
    await recordAction(client, actor, "billing.set", accountId);
  });
}
