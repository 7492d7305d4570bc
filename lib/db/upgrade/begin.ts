/** The beginning of the upgrade, in one commit, and its way back. */
import type pg from "pg";
import { log } from "../../process/log";
import { pause } from "../../timing/pause";
import { RELEASE_BEFORE } from "../baseline";
import { onlyRow } from "../only-row";
import { transact } from "../transaction";
import { statementsOf } from "./baseline-text";

/** Longer than the lease of a process that was killed. */
const LEASE_MS = 20_000;
const ASK_AGAIN_MS = 500;

/** PostgreSQL names it in what it answers to a process of the release before. */
const REFUSAL = "being_upgraded_to_the_next_release_stop_this_process";
/** What such a process would have to write for anything that is copied, and to be alive. */
const closed = [
  "node",
  "wallet",
  "settlement",
  "operation",
  "open_operation",
  "ledger_entry",
  "operator_loss",
  "video_task",
  "ledger_apart",
  "ledger_piece",
  "ledger_seal_head",
  "ledger_archive_part",
  "ledger_archive_drop",
];

/** Resolves when no process has a lease; rejects when one still renews its own. */
async function waitForProcesses(client: pg.ClientBase): Promise<void> {
  const ends = new Map<string, number>();
  for (const until = performance.now() + LEASE_MS; ; await pause(ASK_AGAIN_MS)) {
    const { rows } = await client.query<{ id: string; until: Date }>(
      "select id, lease_until as until from node where lease_until > clock_timestamp() order by 1",
    );
    if (rows.length === 0) return;
    if (ends.size === 0) log.info("upgrade: waits until no process has a lease");
    for (const { id, until: end } of rows) {
      const known = ends.get(id) ?? end.getTime();
      ends.set(id, known);
      if (end.getTime() > known || performance.now() > until)
        throw new Error(
          `The process ${id} of release ${RELEASE_BEFORE} still runs: stop all processes, then start this release again.`,
        );
    }
  }
}

const partitions = (parent: string) => `
  select substr(c.relname, length('${parent}') + 2) as part,
         pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = '${parent}'::regclass`;

/** A row for each partition says how far its copy is. */
const state = `
  create table ledger_upgrade (
    part text primary key,
    bound text not null,
    requests bigint not null,
    copied bigint not null default 0,
    -- The last id that was copied.
    position uuid not null default '00000000-0000-0000-0000-000000000000',
    is_attached boolean not null default false
  );
  insert into ledger_upgrade (part, bound, requests)
    select o.part, o.bound, 0 from (${partitions("operation")}) o
      full join (${partitions("settlement")}) s using (part, bound)`;

async function makeTables(client: pg.ClientBase, projectFolder: string): Promise<void> {
  await client.query(state);
  const tables = statementsOf(
    projectFolder,
    "create table open_request (",
    "create table request (",
    "create index request_account ",
  );
  for (const statement of tables) await client.query(statement);
  const { rows } = await client.query<{ part: string }>("select part from ledger_upgrade");
  for (const { part } of rows) {
    await client.query(
      `create table request_${part}
         (like request including defaults including constraints including storage)`,
    );
    await client.query(
      `update ledger_upgrade set requests = (select count(*) from settlement_${part})
        where part = '${part}'`,
    );
  }
}

/** Does nothing when it was done before. */
export async function begin(client: pg.ClientBase, projectFolder: string): Promise<void> {
  const { begun } = onlyRow(
    await client.query<{ begun: boolean }>(
      "select to_regclass('public.ledger_upgrade') is not null as begun",
    ),
  );
  if (begun) return;
  await waitForProcesses(client);
  await transact(client, async () => {
    // Waits for the transactions that write.
    for (const table of closed)
      await client.query(
        `create trigger ${REFUSAL} before insert or update or delete on ${table}
           for each statement execute function ledger_refuse()`,
      );
    await makeTables(client, projectFolder);
  });
  log.info(`upgrade: from release ${RELEASE_BEFORE} has begun; nothing else can write`);
}

/** The database is of the release before again. */
export const goBack = (client: pg.ClientBase): Promise<void> =>
  transact(client, async () => {
    await client.query("drop table request, open_request, ledger_upgrade");
    await dropUnattached(client);
    await openAgain(client);
  });

/** Partitions that were not part of their table yet. */
async function dropUnattached(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname ~ '^request_(earlier|default|\\d{4}_\\d{2})$'`,
  );
  for (const { name } of rows) await client.query(`drop table ${name}`);
}

/** Of tables that are still there. */
export async function openAgain(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select tgrelid::regclass::text as name from pg_trigger where tgname = $1 and tgparentid = 0",
    [REFUSAL],
  );
  for (const { name } of rows) await client.query(`drop trigger ${REFUSAL} on ${name}`);
}
