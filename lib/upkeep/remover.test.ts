import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { openPool } from "../db/pool";
import { pause } from "../timing/pause";
import { createRemover, startRemover } from "./remover";
import { overdueOf, shortLived } from "./short-lived";

const keep = { deliveryDays: 30, signInFailureHours: 1 };
const url = await createTestDatabase();
const owner = await opened(connect(url));
await owner.query("insert into account (id) values ('acct_a')");

const answers = (from: number, count: number, ends: string, bytes = 500) =>
  owner.query(
    `insert into idempotent_request (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, state, body, expires_at)
     select 'acct_a', 'key-' || i, 'chat', sha256('x'), false, 'req', gen_random_uuid(), 'answered',
            convert_to(repeat(md5(i::text), ${Math.ceil(bytes / 32)}), 'utf8'), now() + $3::interval
       from generate_series($1::int, $2::int) i`,
    [from, from + count - 1, ends],
  );
const countOf = async (what: string) =>
  (await owner.query<{ n: number }>(`select count(*)::int as n from ${what}`)).rows[0]?.n;
const overdue = async () =>
  (await owner.query<{ o: Record<string, number | null> }>(`select ${overdueOf(keep)} as o`))
    .rows[0]?.o;

test("answers that expire faster than a piece in ten minutes are removed as fast as they come, and no other", async () => {
  await answers(1, extent(4000, 30_000), "-1 minute");
  await answers(1_000_000, 500, "1 hour");
  expect((await overdue())?.idempotent_request).toBeGreaterThan(50);
  const problems: unknown[] = [];
  const remover = startRemover(url, keep, (error) => problems.push(error), 300);
  // 1,000 a second, while the backlog is removed.
  for (let at = 0; at < extent(5, 25); at++) {
    await answers(2_000_000 + at * 200, 200, "0 seconds");
    await pause(200);
  }
  const expired = () => countOf("idempotent_request where expires_at <= now()");
  await expect.poll(expired, { timeout: 60_000 }).toBe(0);
  await remover.close();
  expect(problems).toEqual([]);
  expect(await countOf("idempotent_request")).toBe(500);
  expect((await overdue())?.idempotent_request).toBe(0);
}, 90_000);

test("it works for at most half of the time, whatever waits", async () => {
  await answers(3_000_000, extent(25_000, 40_000), "-1 minute", 8000);
  const remover = startRemover(url, keep, () => {});
  const busy = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state = 'active' and query like 'delete from idempotent_request%'`;
  let seen = 0;
  let looks = 0;
  while ((await countOf("idempotent_request where expires_at <= now()")) !== 0) {
    seen += (await owner.query<{ n: number }>(busy)).rows[0]?.n ?? 0;
    looks++;
    await pause(5);
  }
  await remover.close();
  expect(looks).toBeGreaterThan(10);
  expect(seen / looks).toBeLessThan(0.65);
}, 90_000);

test("two processes remove nothing twice and do not fail each other", async () => {
  await answers(4_000_000, extent(2000, 12_000), "-1 minute");
  const pool = openPool(url, 2);
  const both = [createRemover(pool, keep), createRemover(pool, keep)];
  // One of them finds nothing to do while the other removes, however much is left.
  const round = async () => {
    await Promise.all(both.map((remover) => remover.removePieces()));
    return countOf("idempotent_request where expires_at <= now()");
  };
  await expect.poll(round, { timeout: 60_000 }).toBe(0);
  await pool.end();
});

test("an expired answer on which a living process works stays until the process is gone", async () => {
  await answers(5_000_000, 1, "-1 minute");
  await owner.query(
    "insert into node values ('node_a', 'store', now(), now() + interval '1 hour')",
  );
  await owner.query(
    "update idempotent_request set state = 'running', body = null, node_id = 'node_a' where key = 'key-5000000'",
  );
  const pool = openPool(url, 1);
  const remover = createRemover(pool, keep);
  await remover.removePieces();
  expect(await countOf("idempotent_request where key = 'key-5000000'")).toBe(1);
  await owner.query("update node set lease_until = now() - interval '1 second'");
  await remover.removePieces();
  await pool.end();
  expect(await countOf("idempotent_request where key = 'key-5000000'")).toBe(0);
});

test("the other short-lived rows are removed by their own times, from the settings", async () => {
  await owner.query(
    `insert into sign_in_failure (subject, at) select 's' || i, now() - make_interval(mins => i * 2) from generate_series(0, 99) i`,
  );
  await owner.query(
    `insert into notification (account_id, kind, dedupe_key, data, created_at)
     select 'acct_a', 'payment_failed', 'old' || i, '{}', now() - make_interval(days => 60 + i % 40) from generate_series(1, 5000) i`,
  );
  await owner.query(
    `insert into notification_told (account_id, subject, until) select 'acct_a', 's' || i, now() - make_interval(hours => i) from generate_series(1, 48) i`,
  );
  await owner.query(
    `insert into webhook_endpoint (id, account_id, url, kinds, sealed) values ('whe_a', 'acct_a', 'https://a.example', '{payment_paid}', decode(repeat('00', 29), 'hex'))`,
  );
  await owner.query(
    `insert into webhook_delivery (endpoint_id, created_at) select 'whe_a', now() - make_interval(days => i) from generate_series(0, 99) i`,
  );
  const late = await overdue();
  const behind = Object.entries(late ?? {}).filter(([, seconds]) => (seconds ?? 0) > 3000);
  expect(behind.map(([table]) => table).sort()).toEqual([
    "notification",
    "notification_told",
    "sign_in_failure",
    "webhook_delivery",
  ]);
  const pool = openPool(url, 1);
  const remover = createRemover(pool, { deliveryDays: 45, signInFailureHours: 2 });
  while (await remover.removePieces());
  await pool.end();
  expect(await countOf("sign_in_failure")).toBe(60);
  expect(await countOf("notification")).toBe(3750);
  expect(await countOf("notification_told")).toBe(23);
  expect(await countOf("webhook_delivery")).toBe(45);
  const after = Object.values((await overdue()) ?? {});
  expect(after).toHaveLength(shortLived(keep).length);
});

test("the oldest rows are found by an index, however many there are", async () => {
  await answers(6_000_000, 20_000, "1 hour");
  await owner.query(
    "insert into sign_in_failure (subject) select 's' || i from generate_series(1, 20000) i",
  );
  await owner.query(
    `insert into notification (account_id, kind, dedupe_key, data) select 'acct_a', 'payment_failed', 'new' || i, '{}' from generate_series(1, 20000) i`,
  );
  await owner.query("vacuum analyze idempotent_request, sign_in_failure, notification");
  await owner.query("set plan_cache_mode = force_generic_plan");
  for (const { table, removal, overdue: query } of shortLived(keep)) {
    if (!["idempotent_request", "sign_in_failure", "notification"].includes(table)) continue;
    const plans = [
      await owner.query<{ "QUERY PLAN": string }>(`explain (costs off) ${query}`),
      await owner.query<{ "QUERY PLAN": string }>(
        `explain (costs off) ${removal.replace("$1", "1000")}`,
      ),
    ];
    for (const { rows } of plans) {
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan, plan).not.toMatch(
        /Seq Scan on (idempotent_request|sign_in_failure|notification)\b/,
      );
    }
  }
});
