/**
 * Tests faults of the database at every point of a batch: no charge is lost and none counts twice.
 */

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { DatabaseProxy, isBatchAnswer, isBatchRequest } from "@/testing/ledger/database-proxy";
import {
  holdOf,
  newSpoolFolder,
  openLedgerDatabase,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../audit/audit";
import { createLedger, type OpenLedger } from "../ledger";
import type { HoldRequest } from "./verbs";

const { url, client, ledger: direct } = await opened(openLedgerDatabase());

const failingChecks = async () => (await auditLedger(client)).checks.filter(({ ok }) => !ok);

async function workload(
  ledger: OpenLedger,
  account: SeededAccount,
  requests: number,
  callers: number,
  onDone: () => void = () => {},
): Promise<HoldRequest[]> {
  const done: HoldRequest[] = [];
  let left = requests;
  const caller = async () => {
    while (left > 0) {
      const isRelease = left-- % 3 === 0;
      const hold = holdOf(account, 10n);
      if ((await ledger.openHold(hold)).result !== "held") throw new Error("not held");
      const result = await (isRelease
        ? ledger.release(releaseOf(hold))
        : ledger.settle(settleOf(hold, 3n)));
      expect(result.outcome).toBe(isRelease ? "released" : "settled");
      done.push(hold);
      onDone();
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return done;
}

/**
 * Expects the wallet to agree with its settlements, and a settlement for every request in `done`.
 */
async function expectExact(
  account: SeededAccount,
  done: readonly HoldRequest[],
  start: bigint,
): Promise<void> {
  const { rows } = await client.query(
    "select count(*)::int as n, coalesce(sum(amount), 0)::bigint as charged from request where id = any($1::uuid[])",
    [done.map(({ operationId }) => operationId)],
  );
  expect(rows[0].n).toBe(done.length);
  expect(await direct.balance(account.accountId)).toEqual({
    available: start - BigInt(rows[0].charged),
    held: 0n,
  });
  expect(await failingChecks()).toEqual([]);
}

test.each(["request", "answer"] as const)(
  "cutting the k-th %s of a batch, for every k, loses and doubles nothing",
  async (what) => {
    const proxy = await DatabaseProxy.start(url);
    const ledger = await createLedger({ databaseUrl: proxy.url, spoolFolder: newSpoolFolder() });
    const account = await seedAccount(client, direct, 100_000n);
    const done: HoldRequest[] = [];
    let cuts = 0;
    for (let k = 1; k <= 8; k++) {
      let count = 0;
      const cutsKth = (bytes: Buffer) =>
        (what === "request" ? isBatchRequest(bytes) : isBatchAnswer(bytes)) &&
        ++count === k &&
        ++cuts > 0;
      if (what === "request") proxy.cutsRequest = cutsKth;
      else proxy.cutsAnswer = cutsKth;
      done.push(...(await workload(ledger, account, 24, 4)));
    }
    expect(cuts).toBe(8);
    await expectExact(account, done, 100_000n);
    await ledger.close();
    await proxy.stop();
  },
);

test("backends terminated at random under load lose and double nothing", async () => {
  const ledger = await openTestLedger(url);
  const account = await seedAccount(client, direct, 1_000_000n);
  let isOver = false;
  let ended = 0;
  const killer = (async () => {
    let killed = 0;
    // A slow machine connects slowly: some requests pass before the next kill, as a hold waits only for a second.
    for (let until = 0; !isOver; ) {
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 60));
      if (ended < until) continue;
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'relay-ledger'
           and query ~ 'ledger_(hold|end|batch)' order by random() limit 2`,
      );
      killed += rowCount ?? 0;
      if (rowCount) until = ended + 40;
    }
    return killed;
  })();
  const done = await workload(ledger, account, extent(1000, 3000), 40, () => ended++).finally(
    () => {
      isOver = true;
    },
  );
  expect(await killer).toBeGreaterThan(2);
  await expectExact(account, done, 1_000_000n);
  await ledger.close();
});

test("a database error in the middle of a batch is retried until it passes", async () => {
  const account = await seedAccount(client, direct, 1000n);
  await client.query(`create sequence flush; create function fail_some() returns trigger language plpgsql as $$ begin
    if nextval('flush') % 3 <> 0 then raise exception 'no space left on device' using errcode = '53100'; end if; return null; end $$;
    create trigger fail_some after insert on open_request for each statement execute function fail_some();
    create trigger fail_some after insert on request for each statement execute function fail_some()`);
  const done = await workload(direct, account, 6, 3).finally(() =>
    client.query(
      "drop trigger fail_some on open_request; drop trigger fail_some on request; drop function fail_some(); drop sequence flush",
    ),
  );
  await expectExact(account, done, 1000n);
});

test("without the database, holds are refused within a second, and ends are spooled and charged later", async () => {
  const proxy = await DatabaseProxy.start(url);
  const spoolFolder = newSpoolFolder();
  const timings = { endPatienceMs: 600, heartbeatMs: 200 };
  const ledger = await createLedger({ databaseUrl: proxy.url, spoolFolder, timings });
  const account = await seedAccount(client, direct, 1000n);
  const [settled, released] = [holdOf(account, 100n), holdOf(account, 100n)];
  await Promise.all([ledger.openHold(settled), ledger.openHold(released)]);
  proxy.setDown(true);
  const started = performance.now();
  await expect(ledger.openHold(holdOf(account, 10n))).rejects.toMatchObject({
    code: "database_unavailable",
  });
  expect(performance.now() - started).toBeLessThan(1200);
  const ends = await Promise.all([
    ledger.settle(settleOf(settled, 30n)),
    ledger.release(releaseOf(released)),
  ]);
  expect(ends).toEqual([
    { result: "spooled", outcome: "settled", amount: 30n },
    { result: "spooled", outcome: "released", amount: 0n },
  ]);
  expect(readdirSync(spoolFolder).filter((name) => name.endsWith(".spool"))).not.toEqual([]);
  expect(await direct.balance(account.accountId)).toEqual({ available: 800n, held: 200n });
  proxy.setDown(false);
  await expect
    .poll(() => direct.balance(account.accountId), { timeout: 5000 })
    .toEqual({ available: 970n, held: 0n });
  await expect
    .poll(() => readdirSync(spoolFolder).filter((name) => name.endsWith(".spool")), {
      timeout: 5000,
    })
    .toEqual([]);
  expect(await failingChecks()).toEqual([]);
  await ledger.close();
  await proxy.stop();
});

test("a hold that was refused but had been committed is released", async () => {
  const proxy = await DatabaseProxy.start(url);
  const ledger = await createLedger({
    databaseUrl: proxy.url,
    spoolFolder: newSpoolFolder(),
    timings: { holdPatienceMs: 100 },
  });
  const account = await seedAccount(client, direct, 1000n);
  proxy.cutsAnswer = (answer) => {
    if (!isBatchAnswer(answer)) return false;
    proxy.isDown = true;
    return true;
  };
  await expect(ledger.openHold(holdOf(account, 10n))).rejects.toMatchObject({
    code: "database_unavailable",
  });
  expect(await direct.balance(account.accountId)).toEqual({ available: 990n, held: 10n });
  proxy.cutsAnswer = () => false;
  proxy.setDown(false);
  await expect
    .poll(() => direct.balance(account.accountId), { timeout: 5000 })
    .toEqual({ available: 1000n, held: 0n });
  await ledger.close();
  await proxy.stop();
});

test("a silent server is abandoned, and its batches are sent again on a new connection", async () => {
  const proxy = await DatabaseProxy.start(url);
  const ledger = await createLedger({
    databaseUrl: proxy.url,
    spoolFolder: newSpoolFolder(),
    timings: { batchPatienceMs: 500 },
  });
  const account = await seedAccount(client, direct, 1000n);
  const hold = holdOf(account, 10n);
  await ledger.openHold(hold);
  proxy.isMute = true;
  const settling = ledger.settle(settleOf(hold, 4n));
  await expect
    .poll(async () => (await direct.balance(account.accountId)).available, { timeout: 3000 })
    .toBe(996n);
  proxy.isMute = false;
  expect(await settling).toEqual({ result: "done", outcome: "settled", amount: 4n });
  await ledger.close();
  await proxy.stop();
});

test("a heartbeat without an answer does not stop the next: the lease is renewed, and closing ends", async () => {
  const proxy = await DatabaseProxy.start(url);
  const timings = { batchPatienceMs: 300, heartbeatMs: 50, leaseSeconds: 1 };
  const ledger = await createLedger({
    databaseUrl: proxy.url,
    spoolFolder: newSpoolFolder(),
    timings,
  });
  const account = await seedAccount(client, direct, 1000n);
  await ledger.openHold(holdOf(account, 1n));
  proxy.isFrozen = true;
  const hasLease = async () => {
    const { rows } = await client.query(
      "select lease_until > clock_timestamp() as is_alive from node where id = $1",
      [ledger.nodeId],
    );
    return rows[0]?.is_alive === true;
  };
  await expect.poll(hasLease, { timeout: 5000 }).toBe(false);
  proxy.isFrozen = false;
  expect(await ledger.openHold(holdOf(account, 10n))).toEqual({ result: "held", amount: 10n });
  expect(await hasLease()).toBe(true);
  await ledger.close();
  await proxy.stop();
});

test("closing ends within seconds when the server is silent", async () => {
  const proxy = await DatabaseProxy.start(url);
  const ledger = await createLedger({
    databaseUrl: proxy.url,
    spoolFolder: newSpoolFolder(),
    timings: { batchPatienceMs: 500 },
  });
  const account = await seedAccount(client, direct, 1000n);
  await ledger.openHold(holdOf(account, 10n));
  proxy.isFrozen = true;
  const started = performance.now();
  await ledger.close(100);
  expect(performance.now() - started).toBeLessThan(5000);
  await proxy.stop();
});
