/** The requests of an archive: as lines from the database, and such lines read as rows again. */
import { createHash } from "node:crypto";
import type pg from "pg";
import { hashedRequest } from "./piece-reading";

type Queries = Pick<pg.ClientBase, "query">;

/** Some 2 MB of text. */
const LINES_AT_ONCE = 1000;

/** A request, as both its row and its line give it. */
export interface ArchivedRow {
  readonly id: string;
  readonly account_id: string;
  /** In micropoints. */
  readonly amount: string;
  /** The hash that it has in its piece. */
  readonly hash: Buffer;
}

/** The requests with ids from `starts` to before `below`, by their ids, each with its line. */
export async function* requestsBetween(
  client: Queries,
  { starts, below }: { readonly starts: string; readonly below: string },
): AsyncGenerator<(ArchivedRow & { readonly line: string })[]> {
  for (let [after, than] = [starts, ">="]; ; than = ">") {
    const { rows } = await client.query<ArchivedRow & { line: string }>(
      `select o.id, s.account_id, s.amount::text as amount, sha256(record_send(${hashedRequest})) as hash,
              json_build_object('operation', o, 'settlement', s)::text as line
         from operation o join settlement s on s.operation_id = o.id and s.operation_id ${than} $1 and s.operation_id < $2
        where o.id ${than} $1 and o.id < $2 order by o.id limit ${LINES_AT_ONCE}`,
      [after, below],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < LINES_AT_ONCE) return;
    after = rows.at(-1)?.id ?? below;
  }
}

/** Lines in groups of `LINES_AT_ONCE`; the last group may have fewer, or none. */
export async function* groupsOf(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let group: string[] = [];
  for await (const line of lines) {
    group.push(line);
    if (group.length < LINES_AT_ONCE) continue;
    yield group;
    group = [];
  }
  yield group;
}

export interface ReadRow extends ArchivedRow {
  /** On which it ended (UTC). */
  readonly day: string;
  /** Whether its operation and its settlement belong together. */
  readonly belongs: boolean;
  /** Whether the database has the same rows, column by column. */
  readonly is_same: boolean;
}

/** Reads lines of an archive as rows, without writing them anywhere. */
export async function rowsOfLines(client: Queries, lines: readonly string[]): Promise<ReadRow[]> {
  const { rows } = await client.query<ReadRow>(
    `select o.id, s.account_id, s.amount::text as amount, sha256(record_send(${hashedRequest})) as hash,
            ((s.created_at at time zone 'UTC')::date)::text as day, s.operation_id = o.id and s.account_id = o.account_id as belongs,
            exists (select from operation d join settlement e on e.operation_id = d.id
                     where d.id = o.id and record_send(d) = record_send(o) and record_send(e) = record_send(s)) as is_same
       from unnest($1::text[]) with ordinality as l(line, place), json_populate_record(null::operation, l.line::json -> 'operation') o,
            json_populate_record(null::settlement, l.line::json -> 'settlement') s
      order by l.place`,
    [lines],
  );
  return rows;
}

interface Sum {
  requests: number;
  charges: number;
  charged: bigint;
}

/** Adds up the requests of a part. Keeps a sum for each account. */
export class PartSums {
  readonly #rows = createHash("sha256");
  readonly #accounts = new Map<string, Sum>();
  requests = 0;

  add(rows: readonly ArchivedRow[]): void {
    for (const { account_id, amount, hash } of rows) {
      const sum = this.#accounts.get(account_id) ?? { requests: 0, charges: 0, charged: 0n };
      this.#accounts.set(account_id, sum);
      this.requests++;
      sum.requests++;
      if (amount !== "0") sum.charges++;
      sum.charged += BigInt(amount);
      this.#rows.update(hash);
    }
  }

  /** Called once, at the end. */
  figures() {
    const accounts = createHash("sha256");
    let [charges, charged] = [0, 0n];
    for (const account of [...this.#accounts.keys()].sort()) {
      const sum = this.#accounts.get(account) ?? { requests: 0, charges: 0, charged: 0n };
      accounts.update(`${account} ${sum.requests} ${sum.charges} ${sum.charged}\n`);
      charges += sum.charges;
      charged += sum.charged;
    }
    return {
      requests: this.requests,
      charges,
      charged: String(charged),
      accounts_hash: accounts.digest(),
      rows_hash: this.#rows.digest(),
    };
  }
}
