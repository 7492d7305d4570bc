/**
 * Seals what is over: takes pieces of ended requests, checks each one by the audit's rules, and seals
 * the days that are complete. Every piece and every day is a short transaction of its own, so it may
 * be stopped or killed at any time, and continues where it was.
 */
import type pg from "pg";
import { isOvertaken } from "../db/database-errors";
import { onlyRow } from "../db/only-row";
import { pause } from "../pause";
import { type AuditCheck, runRowRules, runRules } from "./audit";
import { type Piece, pieceScope, wholeScope } from "./audit-scope";
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

export interface SealOptions {
  readonly signal?: AbortSignal | undefined;
  readonly piece?: number;
  /** Called after each piece, with the number of requests in it. */
  onPiece?(requests: number): void;
}

/**
 * Waits until every transaction that was running is over: what it wrote is then visible. False: one
 * runs for longer than a minute.
 */
async function outwait(client: pg.ClientBase, signal: AbortSignal | undefined): Promise<boolean> {
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
  client: pg.ClientBase,
  work: () => Promise<T>,
): Promise<T | null> {
  await client.query(
    "begin isolation level repeatable read; set local jit = off; set local work_mem = '64MB'",
  );
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

async function takePiece(client: pg.ClientBase, most: number) {
  const { number } = onlyRow(
    await client.query<{ number: string }>("select ledger_seal_piece($1) as number", [most]),
  );
  if (number === "0") return { requests: 0, isMore: false, broken: [] };
  const piece = onlyRow(
    await client.query<Piece & { requests: string }>(
      "select * from ledger_piece where number = $1",
      [number],
    ),
  );
  const checks = await runRowRules(client, pieceScope(piece));
  const where = `between ${piece.starts} and ${piece.below}: `;
  return {
    requests: Number(piece.requests),
    isMore: true,
    broken: failed(checks).map((check) => ({ ...check, detail: where + check.detail })),
  };
}

/** Everything that happened on the day is in the draft. */
const draftScope = {
  ...wholeScope,
  draft: "ledger_draft",
  of: (table: string) => `(select * from ${table} where false)`,
};

async function sealDay(client: pg.ClientBase) {
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
  const { signal, piece: most = PIECE, onPiece } = options;
  let pieces = 0;
  let days = 0;
  const done = (broken: readonly AuditCheck[] = []) => ({ broken, pieces, days });
  await client.query("select ledger_seal_announce()");
  if (!(await outwait(client, signal))) return done();
  while (!signal?.aborted) {
    const piece = await checked(client, () => takePiece(client, most));
    if (piece === null) continue;
    if (piece.broken.length > 0) return done(piece.broken);
    if (piece.isMore) {
      pieces++;
      onPiece?.(piece.requests);
    }
    for (;;) {
      const day = await checked(client, () => sealDay(client));
      if (day === null) continue;
      if (day.broken.length > 0) return done(day.broken);
      if (!day.isMore) break;
      days++;
    }
    if (!piece.isMore) break;
  }
  return done();
}
