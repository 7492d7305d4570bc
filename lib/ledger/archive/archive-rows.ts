/** The requests of an archive: as lines from the database, and such lines read as rows again. */
import { createHash } from "node:crypto";
import type pg from "pg";
import { hashedRequest } from "../audit/piece-reading";

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

/** The two rows that a request has in a line, as it had them in the database once. */
const twoRows = `
  cross join lateral (select r.id, r.account_id, r.api_key_id, r.source, r.request_id, r.family, r.model, r.price_version_id,
    r.multiplier_ppm, r.quote_amount, r.hold_amount, r.request_sha256, r.node_id, r.created_at, r.deadline, r.dialect, r.model_version_id, r.tags) o
  cross join lateral (select r.id as operation_id, r.account_id, r.hold_amount, r.outcome, r.amount, r.input_tokens, r.output_tokens,
    r.usage, r.reason, r.channel_id, r.upstream_ref, r.is_stream, r.is_abandoned, r.duration_ms, r.first_byte_ms, r.ended_at as created_at) s`;

/** SQL: the row of `request` that a line gives; what the table has no column for is left out. */
export const requestOfLine = (line: string): string =>
  `jsonb_populate_record(null::request, ${line}::jsonb -> 'settlement'
    || jsonb_build_object('ended_at', ${line}::jsonb -> 'settlement' -> 'created_at') || (${line}::jsonb -> 'operation'))`;

/** The requests with ids from `starts` to before `below`, by their ids, each with its line. */
export async function* requestsBetween(
  client: Queries,
  { starts, below }: { readonly starts: string; readonly below: string },
): AsyncGenerator<(ArchivedRow & { readonly line: string })[]> {
  for (let [after, than] = [starts, ">="]; ; than = ">") {
    const { rows } = await client.query<ArchivedRow & { line: string }>(
      `select r.id, r.account_id, r.amount::text as amount, sha256(record_send(${hashedRequest})) as hash,
              json_build_object('operation', o, 'settlement', s)::text as line
         from request r ${twoRows}
        where r.id ${than} $1 and r.id < $2 order by r.id limit ${LINES_AT_ONCE}`,
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
  /** Whether both parts of its line are of one request. */
  readonly belongs: boolean;
  /** Whether the database has the same rows, column by column. */
  readonly is_same: boolean;
}

/** Reads lines of an archive as rows, without writing them anywhere. */
export async function rowsOfLines(client: Queries, lines: readonly string[]): Promise<ReadRow[]> {
  const { rows } = await client.query<ReadRow>(
    `select r.id, r.account_id, r.amount::text as amount, sha256(record_send(${hashedRequest})) as hash,
            ((r.ended_at at time zone 'UTC')::date)::text as day,
            (l.line -> 'settlement' ->> 'operation_id', l.line -> 'settlement' ->> 'account_id', l.line -> 'settlement' ->> 'hold_amount')
              is not distinct from (r.id::text, r.account_id, r.hold_amount::text) as belongs,
            exists (select from request d where d.id = r.id and record_send(d) = record_send(r)) as is_same
       from (select line::jsonb as line, place from unnest($1::text[]) with ordinality as l(line, place) offset 0) l,
            ${requestOfLine("l.line")} r
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
