import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { connectDatabase } from "../db/client";
import { inDatabaseTransaction } from "../db/transaction";
import { verifyActionChain } from "./action-chain";
import { recordAction } from "./actions";

const record = (n: number) =>
  inDatabaseTransaction(database, (transaction) =>
    recordAction(transaction, "cli", "task.check", `s${n}`, {
      before: { value: n },
      after: { value: n + 1 },
    }),
  );

const url = await createTestDatabase();
const pool = await opened(new pg.Pool({ connectionString: ownerUrlOf(url), max: 4 }), (pool) =>
  pool.end(),
);
const database = await opened(connectDatabase(url, 8), (database) => database.$disconnect());
beforeAll(async () => {
  await Promise.all(Array.from({ length: 40 }, (_, n) => record(n)));
});

test("actions recorded at once on several connections form one chain without a gap", async () => {
  const report = await verifyActionChain(pool);
  expect(report).toMatchObject({ ok: true, broken: null });
  const { rows } = await pool.query(
    "select count(*)::int as count, max(seq)::int as last, min(at) <= max(at) as is_ordered from operator_action",
  );
  expect(rows[0]).toEqual({ count: report.rows, last: report.rows, is_ordered: true });
});

test("a log that grows during verification is verified up to the row that was last at the start", async () => {
  const [report] = await Promise.all([
    verifyActionChain(pool),
    ...Array.from({ length: 20 }, (_, n) => record(n)),
  ]);
  expect(report.ok).toBe(true);
});

test("rows can be neither changed nor removed, and the head cannot be set directly", async () => {
  for (const sql of [
    "update operator_action set actor = 'x'",
    "delete from operator_action",
    "truncate operator_action",
    "update operator_action_head set seq = 1",
    "delete from operator_action_head",
    "truncate operator_action_head",
  ]) {
    await expect(pool.query(sql)).rejects.toThrow(/append-only/);
  }
});

describe("with the triggers off", () => {
  const damage: [name: string, sql: string, broken: object][] = [
    [
      "a changed actor",
      "update operator_action set actor = 'someone' where seq = 7",
      { seq: "7", why: "changed" },
    ],
    [
      "a changed detail",
      `update operator_action set detail = '{"before":{"n":1}}' where seq = 9`,
      { seq: "9", why: "changed" },
    ],
    [
      "a changed time",
      "update operator_action set at = at + interval '1 microsecond' where seq = 3",
      { seq: "3", why: "changed" },
    ],
    ["a row removed", "delete from operator_action where seq = 20", { seq: "20", why: "missing" }],
    [
      "the first row removed",
      "delete from operator_action where seq = 1",
      { seq: "1", why: "missing" },
    ],
    [
      "the last rows removed",
      "delete from operator_action where seq > 30",
      { seq: "31", why: "missing" },
    ],
    [
      "a changed row with its hash made anew",
      `update operator_action set actor = 'someone' where seq = 5;
       update operator_action a set hash = operator_action_hash(a.previous_hash, a) where seq = 5`,
      { seq: "6", why: "unlinked" },
    ],
    [
      "the last row changed with its hash made anew",
      `update operator_action set actor = 'someone' where seq = (select seq from operator_action_head);
       update operator_action a set hash = operator_action_hash(a.previous_hash, a) where seq = (select seq from operator_action_head)`,
      { why: "beyond_head" },
    ],
  ];

  test.each(damage)("%s is detected, with its position", async (_name, sql, broken) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("set local session_replication_role = replica");
      await client.query(sql);
      const report = await verifyActionChain(client as unknown as pg.Pool);
      expect(report.ok).toBe(false);
      expect(report.broken).toMatchObject(broken);
    } finally {
      await client.query("rollback");
      client.release();
    }
    expect((await verifyActionChain(pool)).ok).toBe(true);
  });
});
