/** Adds up the pieces again, day by day, and compares what was sealed. */
import type pg from "pg";
import { addsPoints, takesPoints } from "./entry-kinds";
import type { PieceSum } from "./piece-reading";

interface Sum {
  requests: bigint;
  charges: bigint;
  charged: bigint;
}

export interface Seal {
  readonly day: string;
  readonly piece: string;
  readonly entry: string;
  readonly entry_before: string;
  readonly piece_before: string;
  readonly day_before: string | null;
}

export const sealsQuery = `select day::text, piece, entry, lag(entry, 1, -9223372036854775807::bigint) over (order by number) as entry_before,
  lag(piece, 1, 0::bigint) over (order by number) as piece_before, lag(day) over (order by number)::text as day_before from ledger_seal`;

const EXAMPLES = 5;

/** The accounts of a sealed day whose row is not what was summed, or whose entries are others. */
export async function wrongAccounts(
  client: Pick<pg.ClientBase, "query">,
  seal: Seal,
  sums: ReadonlyMap<string, Sum>,
): Promise<string[]> {
  const accounts = [...sums.keys()];
  const column = (name: keyof Sum) => accounts.map((id) => String(sums.get(id)?.[name] ?? 0n));
  const { rows } = await client.query<{ account_id: string }>(
    `select account_id from (select * from ledger_seal_account where day = $1::date) a
     full join (select account_id, sum(requests) as requests, sum(charges) as charges, sum(charged) as charged, sum(n) as entries,
                       coalesce(sum(moved) filter (where ${addsPoints}), 0) as credited,
                       coalesce(sum(moved) filter (where ${takesPoints}), 0) as debited,
                       coalesce(jsonb_object_agg(kind, moved) filter (where kind is not null), '{}') as kinds
                  from (select account_id, requests, charges, charged, 0 as n, null as kind, 0 as moved
                          from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) r(account_id, requests, charges, charged)
                        union all
                        select account_id, 0, 0, 0, count(*), kind, sum(amount) from ledger_entry where id > $6 and id <= $7 group by 1, kind) x
                 group by 1) r using (account_id)
     where (a.requests, a.charges, a.charged, a.entries, a.credited, a.debited, a.kinds) is distinct from
           (r.requests, r.charges, r.charged, r.entries, r.credited, r.debited, r.kinds)
     order by 1 limit ${EXAMPLES}`,
    [
      seal.day,
      accounts,
      column("requests"),
      column("charges"),
      column("charged"),
      seal.entry_before,
      seal.entry,
    ],
  );
  return rows.map(({ account_id }) => account_id);
}

/** Sums by day and account, of days that are not compared yet. */
export class DaySums {
  readonly #days = new Map<string, Map<string, Sum>>();

  add(sums: readonly PieceSum[]): void {
    for (const { day, account_id, requests, charges, charged } of sums) {
      const accounts = this.#days.get(day) ?? new Map<string, Sum>();
      this.#days.set(day, accounts);
      addTo(accounts, account_id, {
        requests: BigInt(requests),
        charges: BigInt(charges),
        charged: BigInt(charged),
      });
    }
  }

  /** Takes out what ended up to a day. */
  take(day: string): Map<string, Sum> {
    const taken = new Map<string, Sum>();
    for (const [each, accounts] of this.#days) {
      if (each > day) continue;
      for (const [account, sum] of accounts) addTo(taken, account, sum);
      this.#days.delete(each);
    }
    return taken;
  }
}

function addTo(accounts: Map<string, Sum>, account: string, more: Sum): void {
  const sum = accounts.get(account) ?? { requests: 0n, charges: 0n, charged: 0n };
  accounts.set(account, {
    requests: sum.requests + more.requests,
    charges: sum.charges + more.charges,
    charged: sum.charged + more.charged,
  });
}
