/** Tests of audits on two connections: both read the same rows, and nothing depends on the second one. */
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSealableHistory, openEarlier } from "@/testing/ledger/sealed-history";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { pause } from "../../timing/pause";
import { noOutcome } from "../core/verbs";
import { countAll } from "../usage/usage-counter";
import { type AuditCheck, auditLedger } from "./audit";
import { AuditConnections } from "./audit-connections";
import { auditSealed } from "./audit-sealed";
import { sealLedger } from "./seal";
import { verifySealed } from "./seal-verify";

let url: string;
let owner: pg.Client;
let opened: pg.Client[];

beforeEach(async () => {
  url = await createSealableHistory();
  owner = await connect(url);
  opened = [];
});
afterEach(async () => {
  for (const client of [...opened, owner]) await client.end().catch(() => {});
});

async function open(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  opened.push(client);
  return client;
}

/** Opens a second connection that does this before it takes the snapshot, the first time. */
const openAnd = (first: (pid: number) => Promise<unknown>) => async () => {
  const client = await open();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  let isDone = false;
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name !== "query") return typeof member === "function" ? member.bind(target) : member;
      return async (text: string, values?: unknown[]) => {
        if (!isDone) {
          isDone = true;
          await first(rows[0]?.pid ?? 0);
        }
        return target.query(text, values);
      };
    },
  });
};

const failing = (checks: readonly AuditCheck[]) =>
  checks.filter(({ ok }) => !ok).map(({ name }) => name);
const pieces = async () => (await owner.query("select from ledger_piece")).rowCount;
const inPieces = async () =>
  (await owner.query<{ n: number }>("select sum(requests)::int as n from ledger_piece")).rows[0]?.n;

/** Changes rows past the triggers, which the product cannot do. */
async function change(sql: string): Promise<void> {
  await owner.query(`begin; set local session_replication_role = replica; ${sql}; commit`);
}

/** Of a day that is over, whatever the time is. */
const settled =
  "(select id from request where family = 'text' and amount between 1 and hold_amount - 1 order by 1 limit 1 offset 50)";
const tokens = (by: number) =>
  change(`update request set input_tokens = input_tokens + ${by} where id = ${settled}`);

test("a request of a piece's range that breaks a rule stops the piece, until it is mended", async () => {
  await tokens(1_000_000);
  const broken = await sealLedger(await open(), { openSecond: open });
  expect(failing(broken.broken)).toContainEqual(expect.stringMatching(/tokens × price/));
  expect(await pieces()).toBe(0);
  await tokens(-1_000_000);
  const mended = await sealLedger(await open(), { openSecond: open });
  expect(mended).toMatchObject({ broken: [], pieces: 1 });
});

test("a request with an id of another time that breaks a rule stops the piece, until it is mended", async () => {
  const ledger = await openTestLedger(url);
  const stray = await openEarlier(owner, "acct_history_1", 20, 60);
  await ledger.release({ ...stray, reason: "test", loss: null, outcome: noOutcome });
  await countAll(owner);
  const family = (name: string) =>
    change(`update request set family = '${name}' where id = '${stray.operationId}'`);
  await family("other");
  const { broken } = await sealLedger(await open(), { openSecond: open });
  expect(failing(broken)).toEqual(["every request is within the bounds of orders"]);
  expect(await pieces()).toBe(0);
  await family("text");
  expect((await sealLedger(await open(), { openSecond: open })).broken).toEqual([]);
  expect(await inPieces()).toBe(895);
  expect(failing((await auditLedger(owner)).checks)).toEqual([]);
  await ledger.close();
});

test("both connections read one snapshot: what is committed between them is seen by neither", async () => {
  const client = await open();
  const sum = "select sum(input_tokens)::text as sum from request";
  const connections = new AuditConnections(client, { openSecond: openAnd(() => tokens(5)) });
  await client.query("begin isolation level repeatable read");
  const [mine, other] = await connections.both(
    () => client.query(sum),
    (second) => second.query(sum),
  );
  expect(mine.rows).toEqual(other.rows);
  await client.query("rollback");
  await connections.end();
  expect((await client.query(sum)).rows).not.toEqual(mine.rows);
});

test("a row that is changed while its piece is made is sealed as it was checked, and found by a full audit", async () => {
  const sealing = await sealLedger(await open(), {
    openSecond: openAnd(() => tokens(1_000_000)),
  });
  expect(sealing).toMatchObject({ broken: [], pieces: 1 });
  expect(failing(await verifySealed(owner))).toEqual([
    "every row of a piece is as it was when the piece was made",
    expect.stringMatching(/adds up to its tokens/),
    expect.stringMatching(/tokens × price/),
    "usage per day is the sum of that day's charges",
    "the sums of every day over all accounts are those of the requests that ended on it",
  ]);
});

test("a second connection that dies loses nothing: the audit says so, and works on one", async () => {
  const whole = await auditLedger(owner);
  const alone: unknown[] = [];
  const report = await auditSealed(await open(), {
    openSecond: openAnd((pid) => owner.query("select pg_terminate_backend($1)", [pid])),
    onAlone: (error) => alone.push(error),
  });
  expect(failing(report.checks)).toEqual([]);
  expect([report.accounts, report.entries]).toEqual([whole.accounts, whole.entries]);
  // It may have heard of its end before its statement.
  const lost = expect.stringMatching(/terminat|connection error|EPIPE/);
  expect(alone).toEqual([expect.objectContaining({ message: lost })]);
  expect(await inPieces()).toBe(894);
  expect(failing(await verifySealed(owner))).toEqual([]);
});

test("a row that breaks a rule is not sealed either when the second connection dies or cannot be had", async () => {
  await tokens(1_000_000);
  const dying = openAnd((pid) => owner.query("select pg_terminate_backend($1)", [pid]));
  const refused = () => Promise.reject(new Error("too many connections"));
  for (const openSecond of [dying, refused]) {
    const alone: unknown[] = [];
    const { broken } = await sealLedger(await open(), {
      openSecond,
      onAlone: (error) => alone.push(error),
    });
    expect(failing(broken)).toContainEqual(expect.stringMatching(/tokens × price/));
    expect(alone).toHaveLength(1);
  }
  expect(await pieces()).toBe(0);
});

test("somebody who waits for a table that the first connection reads does not stop the audit", async () => {
  const other = await connect(url);
  let waiting: Promise<unknown> = Promise.resolve();
  const alone: unknown[] = [];
  const sealing = await sealLedger(await open(), {
    onAlone: (error) => alone.push(error),
    openSecond: openAnd(async () => {
      // Until the first one reads it. The locks of all databases are shown.
      const locks =
        "select from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database()";
      const isRead = `${locks} and l.relation = 'request'::regclass and l.granted`;
      while ((await owner.query(isRead)).rowCount === 0) await pause(20);
      waiting = other.query("begin; lock table request in access exclusive mode; commit");
      const isQueued = `${locks} and l.mode = 'AccessExclusiveLock' and not l.granted`;
      while ((await owner.query(isQueued)).rowCount === 0) await pause(20);
    }),
  });
  expect(sealing).toMatchObject({ broken: [], pieces: 1 });
  expect(alone).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/lock timeout/) }),
  ]);
  await waiting;
  await other.end();
});

test("several that seal at once on two connections each take every request once", async () => {
  const clients = await Promise.all([open(), open(), open()]);
  const done = await Promise.all(
    clients.map((client) => sealLedger(client, { piece: 40, openSecond: open })),
  );
  expect(done.flatMap(({ broken }) => broken)).toEqual([]);
  expect(await inPieces()).toBe(894);
  expect(failing(await verifySealed(owner))).toEqual([]);
});

test("a sum of hours that is wrong is found in any account, and over all of them", async () => {
  const client = await open();
  expect(failing((await auditSealed(client, { openSecond: open })).checks)).toEqual([]);
  const hours = "the sums of every hour are those of the requests made in it";
  const all = "the sums of every hour over all accounts are those of the requests made in it";
  const { rows } = await owner.query<{ id: string }>(
    "select distinct account_id as id from usage_hour where hour > now() - interval '2 days'",
  );
  expect(rows.length).toBe(12);
  const found: [string, boolean][] = [];
  const wrong = async (sql: (by: number) => string, name: string, shown: string) => {
    await change(`${sql(1)}; update ledger_seal_head set hours_below = '-infinity'`);
    const { checks } = await auditSealed(client, { openSecond: open });
    found.push([
      shown,
      checks.some((check) => check.name === name && check.detail.includes(shown)) &&
        failing(checks).length === 1,
    ]);
    await change(sql(-1));
  };
  for (const { id } of rows)
    await wrong(
      (by) =>
        `update usage_hour set amount = amount + ${by} where (account_id, hour) = ('${id}', (select max(hour) from usage_hour where account_id = '${id}'))`,
      hours,
      `${id} `,
    );
  const last = "(select max(hour) from usage_total_hour)";
  await wrong(
    (by) => `update usage_total_hour set amount = amount + ${by} where hour = ${last}`,
    all,
    " broken: ",
  );
  expect(found.filter(([, isFound]) => !isFound)).toEqual([]);
});
