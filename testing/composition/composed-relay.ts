/** The process's composition on a database of its own, with an account of 30 points and a key. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "@/lib/accounts/create-account";
import { createApiKey } from "@/lib/commands/api-keys";
import { composition } from "@/lib/composition/composition";
import { connectDatabase } from "@/lib/db/client";
import { createLedger } from "@/lib/ledger/ledger";
import { createTestDatabase } from "../db/test-database";

export const compositionSecret = "a secret of at least thirty-two characters";

export type ComposedRelay = Awaited<ReturnType<typeof startComposedRelay>>;

export async function startComposedRelay() {
  const folder = mkdtempSync(join(tmpdir(), "relay-composition-"));
  const url = await createTestDatabase();
  Object.assign(process.env, {
    DATABASE_URL: url,
    RELAY_SECRET: compositionSecret,
    RELAY_DATA_DIR: folder,
  });
  const database = connectDatabase(url, 2);
  const tool = await createLedger({ databaseUrl: url, spoolFolder: folder, role: "tool" });
  const account = { email: "a@example.com", welcomePoints: 30_000_000n };
  const { accountId } = await createAccount(database, tool, account);

  async function newKey(): Promise<{ id: string; secret: string }> {
    const made = await createApiKey({ database, ledger: tool }, "test", {
      accountId,
      name: "test",
    });
    return { id: made.key.id, secret: made.secret };
  }

  const key = await newKey();
  const relay = await composition();
  await relay.start();
  return {
    database,
    tool,
    relay,
    accountId,
    key,
    newKey,
    async close() {
      await relay.drain();
      await relay.close();
      await tool.close();
      await database.$disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
