import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { hasPooler, type Pooler, startPooler } from "@/testing/db/pooler";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { readSettings } from "../settings/settings";
import { pause } from "../timing/pause";
import { openChanges } from "./changes";
import { connectDatabase } from "./client";
import { openDatabase } from "./open";
import { openPool } from "./pool";

const root = join(import.meta.dirname, "../..");
let pooler: Pooler | undefined;
afterEach(() => pooler?.stop());

async function open(mode: "session" | "transaction" | "statement", more = "") {
  const url = await createTestDatabase();
  pooler = await startPooler(url, mode, [url, ownerUrlOf(url)], more);
  const [DATABASE_URL, DATABASE_OWNER_URL] = [pooler.through(url), pooler.through(ownerUrlOf(url))];
  return {
    direct: url,
    opened: openDatabase(readSettings({ DATABASE_URL, DATABASE_OWNER_URL }), root),
  };
}

test("behind PgBouncer in session mode, with its defaults, everything works", async ({ skip }) => {
  skip(!hasPooler, "pgbouncer is not installed");
  const { direct, opened } = await open("session");
  const { url, close } = await opened;
  const ledger = await openTestLedger(url);
  const owner = await connect(direct);
  const [pool, database, changes] = [
    openPool(url, 2, 700),
    connectDatabase(url, 2),
    await openChanges(url, 60_000),
  ];
  try {
    const account = await seedAccount(owner, ledger, 1000n);
    const hold = holdOf(account, 10n);
    expect(await ledger.openHold(hold)).toMatchObject({ result: "held" });
    expect(await ledger.settle(settleOf(hold, 7n))).toMatchObject({ result: "done", amount: 7n });
    expect((await pool.query("show statement_timeout")).rows).toEqual([
      { statement_timeout: "700ms" },
    ]);
    await expect(pool.query("select pg_sleep(5)")).rejects.toThrow("statement timeout");
    expect(await database.notice.count()).toBe(0);
    const heard: (string | null)[] = [];
    changes.subscribe("notice", (id) => heard.push(id));
    await owner.query("select pg_notify('relay_change', 'notice:n1')");
    while (heard.length === 0) await pause(20);
    expect(heard).toEqual(["n1"]);
  } finally {
    await Promise.all([
      pool.end(),
      database.$disconnect(),
      changes.close(),
      owner.end(),
      ledger.close(),
    ]);
    await close();
  }
});

test.for(["transaction", "statement"] as const)(
  "behind PgBouncer in %s mode a start is refused with the reason, each time",
  async (mode, { skip }) => {
    skip(!hasPooler, "pgbouncer is not installed");
    const { opened } = await open(mode);
    await expect(opened).rejects.toThrow(
      "DATABASE_URL cannot be used: a connection pooler in transaction or statement mode is in between: set pool_mode=session",
    );
  },
);

test.for([
  ["server_reset_query =", "leaves settings and locks of a session to the next one"],
  ["default_pool_size = 1", "gives one session of the server only: raise its default_pool_size"],
] as const)(
  "behind PgBouncer in session mode with %s a start is refused with the reason",
  async ([more, reason], { skip }) => {
    skip(!hasPooler, "pgbouncer is not installed");
    const { opened } = await open("session", more);
    await expect(opened).rejects.toThrow(`DATABASE_URL cannot be used: a connection pooler`);
    await expect(opened).rejects.toThrow(reason);
  },
);
