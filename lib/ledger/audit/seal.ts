/**
 * Seals what is over: takes pieces of ended requests, checks each one by the audit's rules, and seals
 * the days that are complete. Every piece and every day is a short transaction of its own, so it may
 * be stopped or killed at any time, and continues where it was.
 */
import type pg from "pg";
import { isOvertaken } from "../../db/database-errors";
import { onlyRow } from "../../db/only-row";
import { pause } from "../../timing/pause";
import { type AuditCheck, runRuleSet, runRules } from "./audit";
import {
  AuditConnections,
  BY_RANGES,
  type ConnectionOptions,
  type Queries,
  READING,
} from "./audit-connections";
import { lotRules } from "./audit-lots";
import { endRules, entryRules, requestRules } from "./audit-requests";
import {
  apartScope,
  type Piece,
  pieceScope,
  rangeScope,
  type Scope,
  wholeScope,
} from "./audit-scope";
import { usagePerDay } from "./audit-sums";
import { totalPerDay } from "./audit-usage";

/** A transaction of a second or two. */
const PIECE = 100_000;
const PATIENCE_MS = 60_000;
const LOOK_MS = 20;

export interface Sealing {
  /** The rules that the next piece or day breaks; it is not sealed. */
  readonly broken: readonly AuditCheck[];
  readonly pieces: number;
  readonly days: number;
}

export interface SealOptions extends ConnectionOptions {
  readonly signal?: AbortSignal | undefined;
  readonly piece?: number;
  /** The caller's connections; else they are opened here. */
  readonly connections?: AuditConnections;
  /** Called after each piece, with the number of requests in it. */
  onPiece?(requests: number): void;
}

/**
 * Waits until every transaction that was running is over: what it wrote is then visible. False: one
 * runs for longer than a minute.
 */
async function outwait(client: Queries, signal: AbortSignal | undefined): Promise<boolean> {
  const { rows } = await client.query<{ next: string }>(
    "select pg_snapshot_xmax(pg_current_snapshot())::text as next",
  );
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until && !signal?.aborted) {
    const { is_over } = onlyRow(
      await client.query<{ is_over: boolean }>(
        "select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 as is_over",
        [rows[0]?.next],
      ),
    );
    if (is_over) return true;
    await pause(LOOK_MS);
  }
  return false;
}

/** Commits what `work` did, unless a rule is broken. Null: another process was at it. */
async function checked<T extends { broken: AuditCheck[] }>(
  client: Queries,
  work: () => Promise<T>,
): Promise<T | null> {
  await client.query(`begin isolation level repeatable read; ${READING}`);
  try {
    const done = await work();
    await client.query(done.broken.length === 0 ? "commit" : "rollback");
    return done;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    if (isOvertaken(error)) return null;
    throw error;
  }
}

const failed = (checks: readonly AuditCheck[]) => checks.filter(({ ok }) => !ok);

type Range = Pick<Piece, "starts" | "below">;

/** The ids of the next piece, as `ledger_seal_piece` takes them in the same snapshot. */
async function nextRange(client: Queries, most: number): Promise<Range> {
  return onlyRow(
    await client.query<Range>(
      `select coalesce(p.below, '00000000-0000-0000-0000-000000000000') as starts,
              coalesce((select id from request where id >= h.below and id < h.announced order by id offset $1 limit 1), h.announced) as below
         from ledger_seal_head h left join ledger_piece p on p.number = h.piece`,
      [most],
    ),
  );
}

const checkRequests = async (client: Queries, scope: Scope): Promise<AuditCheck[]> => [
  ...(await runRuleSet(client, requestRules(scope))),
  ...(await runRules(client, endRules(scope))),
];

/** Makes the piece, and checks what is apart, its entries and its losses. Null: there is none. */
async function makePiece(client: Queries, most: number) {
  const { number } = onlyRow(
    await client.query<{ number: string }>("select ledger_seal_piece($1) as number", [most]),
  );
  if (number === "0") return null;
  const piece = onlyRow(
    await client.query<Piece & { requests: string }>(
      "select * from ledger_piece where number = $1",
      [number],
    ),
  );
  const scope = pieceScope(piece);
  const checks = [
    ...(await checkRequests(client, apartScope(piece))),
    ...(await runRules(client, entryRules(scope))),
    ...(await runRules(client, lotRules({ ...scope, isNew: true }))),
  ];
  return { piece, checks };
}

/** While the first connection makes the piece, the second one checks the requests of its range. */
async function takePiece(connections: AuditConnections, most: number) {
  const range = await nextRange(connections.first, most);
  const [made, checks] = await connections.both(
    () => makePiece(connections.first, most),
    async (client) => {
      await client.query(BY_RANGES);
      return checkRequests(client, rangeScope(range));
    },
  );
  if (made === null) return { requests: 0, isMore: false, broken: [] };
  const { piece } = made;
  if (piece.starts !== range.starts || piece.below !== range.below)
    throw new Error(`piece ${piece.number} has other ids than those that were checked`);
  const where = `between ${piece.starts} and ${piece.below}: `;
  return {
    requests: Number(piece.requests),
    isMore: true,
    broken: failed([...checks, ...made.checks]).map((check) => ({
      ...check,
      detail: where + check.detail,
    })),
  };
}

/** Everything that happened on the day is in the draft. */
const draftScope = {
  ...wholeScope,
  draft: "ledger_draft",
  of: (table: string) => `(select * from ${table} where false)`,
};

async function sealDay(client: Queries) {
  const { day } = onlyRow(
    await client.query<{ day: string | null }>("select ledger_seal_due()::text as day"),
  );
  if (day === null) return { isMore: false, broken: [] };
  const days = `day = date '${day}'`;
  const checks = await runRules(client, [
    usagePerDay(draftScope, days),
    totalPerDay(draftScope, days),
  ]);
  const broken = failed(checks);
  if (broken.length === 0) await client.query("select ledger_seal_day()");
  return { isMore: true, broken };
}

/** Takes all pieces there are now and seals all days that are complete. */
export async function sealLedger(
  client: pg.ClientBase,
  options: SealOptions = {},
): Promise<Sealing> {
  const connections = options.connections ?? new AuditConnections(client, options);
  try {
    return await sealAll(connections, options);
  } finally {
    if (options.connections === undefined) await connections.end();
  }
}

async function sealAll(
  connections: AuditConnections,
  { signal, piece: most = PIECE, onPiece }: SealOptions,
): Promise<Sealing> {
  let pieces = 0;
  let days = 0;
  const done = (broken: readonly AuditCheck[] = []) => ({ broken, pieces, days });
  await connections.first.query("select ledger_seal_announce()");
  if (!(await outwait(connections.first, signal))) return done();
  while (!signal?.aborted) {
    const piece = await checked(connections.first, () => takePiece(connections, most));
    if (piece === null) continue;
    if (piece.broken.length > 0) return done(piece.broken);
    if (piece.isMore) {
      pieces++;
      onPiece?.(piece.requests);
    }
    for (;;) {
      const day = await checked(connections.first, () => sealDay(connections.first));
      if (day === null) continue;
      if (day.broken.length > 0) return done(day.broken);
      if (!day.isMore) break;
      days++;
    }
    if (!piece.isMore) break;
  }
  return done();
}
