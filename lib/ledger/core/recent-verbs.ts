/**
 * What this process wrote in the last minutes: after a change of the primary it can tell what the
 * new one lacks, and end again what is open there.
 */
import type pg from "pg";
import type { LostWrite } from "../../db/lineage";
import type { Item } from "./item";
import type { Row } from "./rows";
import type { CreditRequest } from "./verbs";

/** An asynchronous standby that is further behind would not be promoted. */
const KEPT_MS = 3 * 60_000;
/** The oldest beyond this many are forgotten: some tens of megabytes. */
const KEPT_MAX = 20_000;
const ASKED_AT_ONCE = 1000;

interface KeptVerb {
  readonly lost: LostWrite;
  readonly at: number;
  /** Of an end. */
  readonly row: Row | null;
}

type Queries = Pick<pg.ClientBase, "query">;

/** Those of `$1` that are neither open nor ended; that are not ended; that were not credited. */
const lacks = (type: string, known: string) =>
  `select given.id from unnest($1::${type}[]) as given(id) where not exists (${known})`;
const ended = "select from request r where r.id = given.id";
const lostHolds = lacks(
  "uuid",
  `${ended} union all select from open_request q where q.id = given.id`,
);
const lostEnds = lacks("uuid", ended);
const lostCredits = lacks(
  "text",
  `select from ledger_entry e where e.kind = split_part(given.id, ' ', 1)
    and e.ref = substr(given.id, strpos(given.id, ' ') + 1)`,
);

export class RecentVerbs {
  /** By id, oldest first. */
  readonly #kept = new Map<string, KeptVerb>();
  #lost: string[] = [];

  get size(): number {
    return this.#kept.size;
  }

  /** Called when the database has committed a hold or an end. */
  note(item: Pick<Item, "id" | "account" | "row" | "isHold">, amount: bigint): void {
    const what = item.isHold ? "hold" : item.row[2] === true ? "charge" : "release";
    this.#keep(item.id, what, item.account, amount, item.isHold ? null : item.row);
  }

  noteCredit({ kind, ref, accountId, amount }: CreditRequest): void {
    this.#keep(`${kind} ${ref}`, "credit", accountId, amount, null);
  }

  #keep(id: string, what: LostWrite["what"], account: string, amount: bigint, row: Row | null) {
    const now = performance.now();
    this.#kept.delete(id);
    this.#kept.set(id, { lost: { id, account, what, amount: String(amount) }, at: now, row });
    for (const [oldest, { at }] of this.#kept) {
      if (now - at < KEPT_MS && this.#kept.size <= KEPT_MAX) return;
      this.#kept.delete(oldest);
    }
  }

  /** What of it the server lacks. */
  async lost(client: Queries): Promise<LostWrite[]> {
    const kept = [...this.#kept.values()].map(({ lost }) => lost);
    const of = (...whats: string[]) => kept.filter(({ what }) => whats.includes(what));
    const found = [
      ...(await lacking(client, lostHolds, of("hold"))),
      ...(await lacking(client, lostEnds, of("charge", "release"))),
      ...(await lacking(client, lostCredits, of("credit"))),
    ];
    this.#lost = found.map(({ id }) => id);
    return found;
  }

  /** The ends among what `lost` found last. */
  takeLostEnds(): Row[] {
    return this.#lost.splice(0).flatMap((id) => {
      const row = this.#kept.get(id)?.row;
      return row ? [row] : [];
    });
  }
}

async function lacking(
  client: Queries,
  query: string,
  writes: readonly LostWrite[],
): Promise<LostWrite[]> {
  const found: LostWrite[] = [];
  for (let at = 0; at < writes.length; at += ASKED_AT_ONCE) {
    const some = writes.slice(at, at + ASKED_AT_ONCE);
    const ids = some.map(({ id }) => id);
    const { rows } = await client.query<{ id: string }>(query, [ids]);
    const those = new Set(rows.map(({ id }) => id));
    found.push(...some.filter(({ id }) => those.has(id)));
  }
  return found;
}
