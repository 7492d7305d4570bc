/** Tests that sealed periods and what is new have the figures of the whole ledger. */

import pg from "pg";
import { expect, test } from "vitest";
import { createSealableHistory, openEarlier } from "@/testing/ledger/sealed-history";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { noOutcome } from "../core/verbs";
import { countAll } from "../usage/usage-counter";
import { auditLedger } from "./audit";
import { runAudit } from "./audit-runs";
import { auditSealed } from "./audit-sealed";
import { sealLedger } from "./seal";
import { verifyDay, verifySealed } from "./seal-verify";

const failing = (checks: readonly { name: string; ok: boolean; detail: string }[]) =>
  checks.filter(({ ok }) => !ok);
const rowOf = async (sql: string) => (await owner.query<Record<string, unknown>>(sql)).rows[0];

async function open(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Every way to audit finds nothing, and the figures are those of the whole. */
async function expectClean(): Promise<void> {
  const whole = await auditLedger(owner);
  expect(failing(whole.checks)).toEqual([]);
  const report = await auditSealed(product, { isFull: true });
  expect(failing(report.checks)).toEqual([]);
  expect([report.accounts, report.entries]).toEqual([whole.accounts, whole.entries]);
  const { rows } = await owner.query<{ day: string }>("select day::text from ledger_seal");
  for (const { day } of rows)
    expect([day, failing((await verifyDay(product, day)) ?? [])]).toEqual([day, []]);
}

const end = (operation: { operationId: string; accountId: string }) =>
  ledger.release({
    ...operation,
    reason: "test",
    loss: null,
    outcome: noOutcome,
  });

const url = await createSealableHistory();
const owner = await opened(connect(url));
const product = await opened(open(url));
const ledger = await opened(openTestLedger(url));

test("the product's role seals what is over; sealed sums and new rows have the figures of all", async () => {
  const early = await openEarlier(owner, "acct_history_3", 50);
  const sealing = await sealLedger(product, { piece: 100 });
  expect(sealing.broken).toEqual([]);
  expect(sealing.pieces).toBeGreaterThan(8);
  expect(sealing.days).toBeGreaterThanOrEqual(3);
  await expectClean();
  expect(await rowOf("select sum(requests)::int as n from ledger_piece")).toEqual({ n: 894 });
  const again = await sealLedger(product);
  expect(again).toEqual({ broken: [], pieces: 0, days: 0 });
  const days = Number((await rowOf("select count(*)::int as n from ledger_seal"))?.n);
  expect(days).toBe(sealing.days);

  // It was open while its day was sealed: a later piece counts it, and the sealed day stays as it is.
  const isApart = "select operation_id, piece from ledger_apart where piece is null limit 1";
  expect(await rowOf(isApart)).toBeUndefined();
  await end(early);
  expect(await rowOf(isApart)).toEqual({ operation_id: early.operationId, piece: null });
  await countAll(owner);
  await expectClean();
  expect(await rowOf("select count(*)::int as n from ledger_apart where piece is null")).toEqual({
    n: 0,
  });
});

test("what is opened in a sealed day, or with an id of another time, is counted once, in a later piece", async () => {
  await sealLedger(product);
  const before = Number((await rowOf("select sum(requests)::int as n from ledger_piece"))?.n);
  const strays = [
    await openEarlier(owner, "acct_history_1", 0, 60),
    await openEarlier(owner, "acct_history_2", 0, -90),
    await openEarlier(owner, "acct_history_4", 70, 70),
  ];
  await expectClean();
  for (const each of strays) await end(each);
  await countAll(owner);
  await expectClean();
  expect(await rowOf("select sum(requests)::int as n from ledger_piece")).toEqual({
    n: before + strays.length,
  });
});

test("a clock that stepped back puts what ended in a sealed day into the next one", async () => {
  const each = await openEarlier(owner, "acct_history_5", 60);
  await end(each);
  await owner.query("begin; set local session_replication_role = replica");
  await owner.query("update request set ended_at = now() - interval '59 hours' where id = $1", [
    each.operationId,
  ]);
  await owner.query("commit");
  await countAll(owner);
  await expectClean();
});

test("two that seal at once take each request once", async () => {
  const another = await createSealableHistory();
  const its = await connect(another);
  const clients = await Promise.all([open(another), open(another), open(another)]);
  const done = await Promise.all(clients.map((client) => sealLedger(client, { piece: 40 })));
  expect(done.flatMap(({ broken }) => broken)).toEqual([]);
  expect(done.filter(({ pieces }) => pieces > 0).length).toBeGreaterThan(1);
  expect((await its.query("select sum(requests)::int as n from ledger_piece")).rows).toEqual([
    { n: 894 },
  ]);
  const [client] = clients;
  if (client) expect(failing(await verifySealed(client))).toEqual([]);
  await Promise.all([...clients, its].map((each) => each.end()));
});

test("sealing that is cut off anywhere, again and again, ends with the same pieces and days", async () => {
  const another = await createSealableHistory();
  const its = await connect(another);
  let cuts = 0;
  for (let round = 0; round < 25; round++) {
    const client = await open(another);
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const cut = setTimeout(
      () => void its.query("select pg_terminate_backend($1)", [rows[0]?.pid]).catch(() => {}),
      5 + round * 7,
    );
    await sealLedger(client, { piece: 30 }).catch(() => cuts++);
    clearTimeout(cut);
    await client.end().catch(() => {});
  }
  expect(cuts).toBeGreaterThan(3);
  const client = await open(another);
  const report = await auditSealed(client, { isFull: true });
  expect(failing(report.checks)).toEqual([]);
  expect((await its.query("select sum(requests)::int as n from ledger_piece")).rows).toEqual([
    { n: 894 },
  ]);
  expect(
    (
      await its.query(
        "select count(*)::int as n from ledger_draft where day < (select max(day) from ledger_seal)",
      )
    ).rows,
  ).toEqual([{ n: 0 }]);
  await Promise.all([client.end(), its.end()]);
});

test("what breaks a rule is reported and not sealed, until it is mended", async () => {
  const another = await createSealableHistory();
  const its = await connect(another);
  const settled = "(select id from request where outcome = 'settled' order by 1 limit 1)";
  const change = async (by: number) => {
    await its.query("begin; set local session_replication_role = replica");
    await its.query(`update request set input_tokens = input_tokens + $1 where id = ${settled}`, [
      by,
    ]);
    await its.query("commit");
  };
  await change(1_000_000);
  const client = await open(another);
  const report = await runAudit(client, "test");
  expect(report.ok).toBe(false);
  expect(failing(report.checks).map(({ name }) => name)).toContainEqual(
    expect.stringMatching(/tokens × price/),
  );
  expect((await its.query("select from ledger_piece")).rowCount).toBe(0);
  await change(-1_000_000);
  expect(failing((await runAudit(client, "test")).checks)).toEqual([]);
  expect((await its.query("select from ledger_seal")).rowCount).toBeGreaterThan(2);
  await Promise.all([client.end(), its.end()]);
});

test("points of a plan without their end are reported and not sealed", async () => {
  const another = await createSealableHistory();
  const its = await connect(another);
  await its.query("select ledger_credit('acct_history_1', 'plan', 'apl_x:1', 5, 'test', 'cli')");
  const client = await open(another);
  for (const isFull of [false, true]) {
    const report = await auditSealed(client, { isFull });
    expect(failing(report.checks).map(({ name }) => name)).toContainEqual(
      expect.stringMatching(/every entry of a plan has one/),
    );
  }
  await Promise.all([client.end(), its.end()]);
});

test("an audit that is stopped keeps its pieces, and the next one continues", async () => {
  const another = await createSealableHistory();
  const its = await connect(another);
  const stopped = new AbortController();
  const halted = auditSealed(its, { signal: stopped.signal, onPiece: () => stopped.abort() });
  await expect(halted).rejects.toThrow("stopped");
  expect((await its.query("select from ledger_piece")).rowCount).toBe(1);
  expect(failing((await auditSealed(its, { isFull: true })).checks)).toEqual([]);
  await its.end();
});
