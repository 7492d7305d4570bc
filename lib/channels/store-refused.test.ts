/** Tests that what requests found out of an upstream is remembered. */
import { expect, test, vi } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { createChannel } from "../commands/channels";
import { fixedSecrets } from "../crypto/secrets";
import { openChanges } from "../db/changes";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { createChannelRegistry } from "./channel-registry";
import { storeRefused } from "./store-refused";

const secret = "a secret of at least thirty-two characters";
const secrets = fixedSecrets(secret);
const channel = {
  name: "first",
  protocol: "openai" as const,
  baseUrl: "https://api.example.com/v1/",
  apiKey: "upstream-canary-1",
  models: { "relay-v1": "some-model" },
};

const databaseUrl = await createTestDatabase();
const pool = await opened(openPool(databaseUrl));
const database = await opened(connectDatabase(databaseUrl, 2));
const changes = await opened(openChanges(databaseUrl));

test("what an upstream cannot read, and the cap that it takes, is known to every process, for its model, until the channel changes", async () => {
  const first = await createChannelRegistry({ pool, changes, secrets });
  const other = await openChanges(databaseUrl);
  const second = await createChannelRegistry({ pool, changes: other, secrets });
  const { id } = await createChannel({ database, secrets }, "cli", channel);
  const profileIn = (registry: typeof first) => registry.byId(id)?.profile;
  await vi.waitFor(() => expect(first.byId(id)).toBeDefined(), { timeout: 5000 });
  const stored = first.byId(id);
  if (stored === undefined) throw new Error("not stored");
  await Promise.all([
    storeRefused(pool, stored, "RelayV1", { unread: ["developer"], cap: null }),
    storeRefused(pool, stored, "RelayV1", { unread: ["strict", "stream_options"], cap: null }),
    storeRefused(pool, stored, "other", { unread: ["seed"], cap: 4096 }),
  ]);
  for (const registry of [first, second])
    await vi.waitFor(
      () =>
        expect(profileIn(registry)).toEqual({
          streamUsage: false,
          reads: { RelayV1: { developer: false, strict: false }, other: { seed: false } },
          caps: { other: 4096 },
        }),
      { timeout: 5000 },
    );
  // The channel as it was read before it changed is another one.
  await pool.query("update channel set base_url = 'https://other.example.com/v1' where id = $1", [
    id,
  ]);
  await storeRefused(pool, stored, "RelayV1", { unread: ["user"], cap: null });
  await vi.waitFor(() => expect(profileIn(second)).toBeNull(), { timeout: 5000 });
  first.close();
  second.close();
  await other.close();
});
