/**
 * Kills the writer's process with SIGKILL under load. RELAY_KILL_ROUNDS sets the number of rounds:
 * 4 or 20 by default, 100 and more when run manually.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { DatabaseProxy, isBatchRequest } from "@/testing/ledger/database-proxy";
import { connect, type SeededAccount, seedAccount } from "@/testing/ledger/test-ledger";
import { bundled } from "@/testing/stage/bundle";
import { newFolder } from "@/testing/unit/new-folder";
import { auditLedger } from "../audit/audit";
import { createLedger, type OpenLedger } from "../ledger";

const rounds = Number(process.env.RELAY_KILL_ROUNDS ?? extent(4, 20));
/** Answers of each round before its kill. */
const ANSWERS_BEFORE = 20;
const ended = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Limits of every kind, none of which is ever reached. */
async function limitKey(ledger: OpenLedger, { apiKeyId, accountId }: SeededAccount) {
  await ledger.setKeyBudget(apiKeyId, accountId, 10n ** 12n);
  for (const kind of ["day", "week", "month"] as const)
    await ledger.setKeyLimit(apiKeyId, accountId, { kind, amount: 10n ** 12n, zone: "Asia/Tokyo" });
  for (const kind of ["running", "tokens"] as const)
    await ledger.setKeyLimit(apiKeyId, accountId, { kind, amount: 10n ** 9n, zone: null });
}

test(
  `${rounds} times kill -9 under load: every answer has one settlement, and every point is accounted for`,
  async () => {
    const databaseUrl = await createTestDatabase();
    const client = await connect(databaseUrl);
    const folder = newFolder("kill");
    const [spoolFolder, bookFile] = [join(folder, "spool"), join(folder, "book")];
    const ledger = await createLedger({
      databaseUrl,
      spoolFolder,
      timings: { heartbeatMs: 60_000 },
    });
    const accounts: SeededAccount[] = [];
    for (let n = 0; n < 3; n++) accounts.push(await seedAccount(client, ledger, 10n ** 12n));
    for (const account of accounts.slice(1)) await limitKey(ledger, account);
    const proxy = await DatabaseProxy.start(databaseUrl);
    const script = await bundled("testing/ledger/kill-child.ts");
    const answers = () =>
      existsSync(bookFile) ? readFileSync(bookFile, "utf8").split("\n").length - 1 : 0;

    for (let round = 0; round < rounds; round++) {
      const before = answers();
      const child = spawn(
        process.execPath,
        [script, JSON.stringify({ databaseUrl: proxy.url, spoolFolder, bookFile, accounts })],
        { stdio: ["ignore", "ignore", "inherit"] },
      );
      // Under load, however slow the machine is.
      await expect
        .poll(answers, { timeout: 10_000, interval: 5 })
        .toBeGreaterThan(before + ANSWERS_BEFORE);
      await pause(Math.random() * 150);
      // In every other round no batch gets through any more, so all answers come from the spool.
      if (round % 2) {
        proxy.cutsRequest = isBatchRequest;
        await pause(400 + Math.random() * 200);
        if (round % 4 === 1) proxy.cutsRequest = () => false;
      }
      const exit = ended(child);
      child.kill("SIGKILL");
      await exit;
      proxy.cutsRequest = () => false;
    }

    // The file is written without a sync, so its last line may be incomplete. The others are the
    // answers that callers got.
    const book = readFileSync(bookFile, "utf8").split("\n").slice(0, -1);
    await expect
      .poll(
        async () => {
          await ledger.sweep().catch(() => 0);
          return (await client.query("select from open_request")).rowCount;
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBe(0);
    const { rows } = await client.query<{ line: string }>(
      "select id || ' ' || outcome || ' ' || amount as line from request",
    );
    const settled = new Set(rows.map(({ line }) => line));
    expect(settled.size).toBe(rows.length);
    expect(book.filter((line) => line.startsWith("spooled")).length).toBeGreaterThan(rounds / 2);
    expect(book.length).toBeGreaterThan(rounds * ANSWERS_BEFORE);
    expect(book.filter((line) => !settled.has(line.slice(line.indexOf(" ") + 1)))).toEqual([]);
    const unanswered = await client.query<{ n: number }>(
      "select count(*)::int as n from request where outcome = 'settled'",
    );
    const answered = book.filter((line) => line.includes("settled")).length;
    // For each caller and round, at most one settlement can have been committed without its answer.
    expect((unanswered.rows[0]?.n ?? 0) - answered).toBeLessThanOrEqual(rounds * 24);
    // What died gave back what it held of every limit, and what it spent is counted there.
    const limits = await client.query<{ kind: string; held: number; spent: string }>(
      "select kind, held::int, spent from api_key_budget order by kind",
    );
    expect(limits.rows).toHaveLength(12);
    for (const { kind, held, spent } of limits.rows)
      expect([kind, held, kind === "running" || kind === "tokens" || Number(spent) > 0]).toEqual([
        kind,
        0,
        true,
      ]);
    expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
    await ledger.close();
    await proxy.stop();
    await client.end();
  },
  60_000 + rounds * 6000,
);
