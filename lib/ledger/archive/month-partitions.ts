/**
 * Takes the partition of an archived month out of the table, as the role that owns it. Everything
 * is one transaction: a kill at any moment leaves the month as it was, or dropped and noted.
 */
import type pg from "pg";
import { isLockTimeout } from "../../db/database-errors";
import { MONTHS_LOCK } from "../../db/kept-months";
import { onlyRow } from "../../db/only-row";
import { RelayError } from "../../failures/relay-error";
import { pause } from "../../timing/pause";
import { AUDIT_LOCK } from "../audit/audit-runs";
import type { Month } from "./archive-register";

type Queries = Pick<pg.ClientBase, "query">;

/** For each of the locks for which new requests wait. */
const LOCK_MS = 200;
/** What reads the table in two looks with this time between is no request. */
const LOOK_MS = 100;
const AGAIN_MS = 500;
/** An audit, a backup or a long read may take minutes. */
const PATIENCE_MS = 10 * 60_000;
/** From the first try on, the transaction has a number, and audits and vacuum wait for it. */
const TRYING_MS = 30_000;

/** Whether the requests of a month have a partition of their own, which holds no other month's. */
export async function hasOwnPartition(owner: Queries, month: Month): Promise<boolean> {
  const { has } = onlyRow(
    await owner.query<{ has: boolean }>("select ledger_month_partition($1) is not null as has", [
      month.day,
    ]),
  );
  return has;
}

/** Why an archived month cannot be dropped, as far as the database knows; null when it can. */
export async function dropRefusal(owner: Queries, month: Month): Promise<string | null> {
  const { refusal } = onlyRow(
    await owner.query<{ refusal: string | null }>(
      "select ledger_archive_drop_refusal($1) as refusal",
      [month.day],
    ),
  );
  if (refusal !== null || (await hasOwnPartition(owner, month))) return refusal;
  return "it shares its partition with other months, and stays in the database";
}

/**
 * From here to the end of the transaction nothing writes to the month's partition; everything can
 * read it. Waits for requests that are being written there, and for vacuum.
 */
export async function freezeMonth(owner: Queries, month: Month): Promise<void> {
  const { part } = onlyRow(
    await owner.query<{ part: string }>("select quote_ident(ledger_month_partition($1)) as part", [
      month.day,
    ]),
  );
  await owner.query(
    `select set_config(name, case name when 'lock_timeout' then '60s' else '0' end, true) from pg_settings
      where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
  await owner.query(`lock table public.${part} in share mode`);
}

const holdersQuery = `
  select virtualtransaction as holder from pg_locks
   where locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
     and relation = 'request'::regclass and granted and pid <> pg_backend_pid()
   group by 1 having not bool_or(mode = 'RowExclusiveLock')`;

/**
 * Whether something reads the table for longer than requests do: they would wait behind our wait for
 * it. What writes is a batch of requests, however slow the disk is.
 */
async function isInLongUse(owner: Queries): Promise<boolean> {
  const holders = async () =>
    (await owner.query<{ holder: string }>(holdersQuery)).rows.map(({ holder }) => holder);
  const before = await holders();
  if (before.length === 0) return false;
  await pause(LOOK_MS);
  return (await holders()).some((holder) => before.includes(holder));
}

/**
 * Waits for an audit that runs. Until the end of the transaction no audit or backup begins. Null: none
 * is running.
 */
async function busyReader(owner: Queries, patienceMs: number): Promise<string | null> {
  await owner.query(`set local lock_timeout = ${Math.max(1, Math.ceil(patienceMs))}`);
  try {
    // Audits do not wait for this lock, so they do not wait behind us either.
    await owner.query("select pg_advisory_xact_lock($1)", [AUDIT_LOCK]);
  } catch (error) {
    if (isLockTimeout(error)) return "an audit is running";
    throw error;
  }
  const { ok } = onlyRow(
    await owner.query<{ ok: boolean }>("select pg_try_advisory_xact_lock($1) as ok", [MONTHS_LOCK]),
  );
  return ok ? null : "a backup, or the audit of a day, is running";
}

const IN_USE = "a query reads the requests for longer than a moment";

export interface TakingOut {
  readonly patienceMs?: number;
  /** Called before the table is locked for the first time, and when the month is out of it. */
  onStep?(step: "found free" | "taken out"): void;
}

/**
 * Drops the partition of a month and notes it, in the transaction that froze it. Requests wait for at
 * most some tenths of a second. Rejects with `service_busy` when the table was not free in time.
 */
export async function takeOut(
  owner: Queries,
  month: Month,
  { patienceMs = PATIENCE_MS, onStep }: TakingOut = {},
): Promise<void> {
  let until = performance.now() + patienceMs;
  let hasTried = false;
  async function triedOnce(): Promise<string | null> {
    const reader = await busyReader(owner, until - performance.now());
    if (reader !== null) return reader;
    if (await isInLongUse(owner)) return IN_USE;
    if (!hasTried) until = Math.min(until, performance.now() + TRYING_MS);
    hasTried = true;
    onStep?.("found free");
    try {
      await owner.query(`set local lock_timeout = ${LOCK_MS}`);
      await owner.query("lock table only request in access exclusive mode");
      await owner.query("select ledger_archive_take_out($1)", [month.day]);
      onStep?.("taken out");
      return null;
    } catch (error) {
      if (isLockTimeout(error)) return IN_USE;
      throw error;
    }
  }
  for (;;) {
    await owner.query("savepoint attempt");
    const busy = await triedOnce();
    if (busy === null) return;
    await owner.query("rollback to savepoint attempt");
    if (performance.now() > until)
      throw new RelayError("service_busy", {
        message: `${month.name} was not dropped, and nothing was changed: ${busy}. Try again later.`,
        retryAfterSeconds: 60,
      });
    await pause(AGAIN_MS * (0.5 + Math.random()));
  }
}
