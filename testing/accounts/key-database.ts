/** Key authenticators of several processes on one real database, for tests. */
import type pg from "pg";
import { vi } from "vitest";
import { createKeyAuthenticator, type KeyAuthenticator } from "@/lib/accounts/key-authenticator";
import { hashKeyText, keyHint, makeKeyText } from "@/lib/accounts/key-text";
import { newId } from "@/lib/crypto/ids";
import { type Changes, openChanges } from "@/lib/db/changes";
import { openPool } from "@/lib/db/pool";
import { pause } from "@/lib/timing/pause";
import { createTestDatabase } from "../db/test-database";

interface Process {
  readonly pool: pg.Pool;
  readonly changes: Changes;
  readonly authenticator: KeyAuthenticator & { close(): Promise<void> };
}

/** Counts the pool's key queries from now on. */
function countLookups(pool: pg.Pool): { queries: number; hashes: number } {
  const counts = { queries: 0, hashes: 0 };
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    query: (asked: { name?: string; values: unknown[][][] }) => {
      if (asked.name === "key-by-hash") {
        counts.queries++;
        counts.hashes += asked.values[0]?.length ?? 0;
      }
      return query(asked as never);
    },
  });
  return counts;
}

export async function openKeyDatabase() {
  const databaseUrl = await createTestDatabase();
  const admin = openPool(databaseUrl);
  const processes: Process[] = [];

  async function startProcess(tickMs?: number): Promise<Process> {
    const pool = openPool(databaseUrl);
    const changes = await openChanges(databaseUrl, tickMs);
    const started = { pool, changes, authenticator: createKeyAuthenticator({ pool, changes }) };
    processes.push(started);
    return started;
  }

  async function seedKey(
    columns: { accountId?: string; expiresAt?: Date; models?: string[]; text?: string } = {},
  ) {
    const accountId = columns.accountId ?? newId("account");
    const id = newId("apiKey");
    const text = columns.text ?? makeKeyText();
    await admin.query("insert into account (id) values ($1) on conflict do nothing", [accountId]);
    await admin.query(
      "insert into api_key (id, account_id, name, key_hash, hint, expires_at, models) values ($1, $2, 'test', $3, $4, $5, $6)",
      [
        id,
        accountId,
        Buffer.from(hashKeyText(text), "base64"),
        keyHint(text),
        columns.expiresAt ?? null,
        columns.models ?? [],
      ],
    );
    return { id, accountId, text, header: `Bearer ${text}` };
  }

  return {
    databaseUrl,
    admin,
    startProcess,
    seedKey,
    /** A process without the periodic refresh, whose look-ups are counted. */
    async startCounted() {
      const { pool, changes, authenticator } = await startProcess(3_600_000);
      const counts = countLookups(pool);
      const told = new Set<string | null>();
      changes.subscribe("api_key", (id) => told.add(id));
      /** Resolves once the process has received every notification sent so far. */
      async function caughtUp(): Promise<void> {
        const { id } = await seedKey();
        await vi.waitFor(() => {
          if (!told.has(id)) throw new Error("not told yet");
        }, 5000);
      }
      return { authenticator, counts, caughtUp };
    },
    async close() {
      for (const { authenticator, changes, pool } of processes) {
        await authenticator.close();
        await changes.close();
        await pool.end();
      }
      await admin.end();
    },
  };
}

export const codeOf = async (
  authenticator: KeyAuthenticator,
  header: string | undefined,
): Promise<string> => {
  try {
    await authenticator.identify(header);
    return "ok";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

/** Milliseconds until `authenticator` returns `code`. */
export async function timeUntil(
  authenticator: KeyAuthenticator,
  header: string,
  code: string,
): Promise<number> {
  const start = performance.now();
  while ((await codeOf(authenticator, header)) !== code) {
    if (performance.now() - start > 10_000) throw new Error(`never ${code}`);
    await pause(2);
  }
  return performance.now() - start;
}
