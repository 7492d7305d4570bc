import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isTest, sourcesIn } from "@/server/sources.mjs";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { openPool } from "./pool";
import { PrimaryClient } from "./primary-client";

const root = join(import.meta.dirname, "../..");

test("each connection of the product refuses a server that takes no writes: no other code connects", () => {
  const others = [...sourcesIn(root, ["app", "lib", "server", "cli"])]
    .filter(
      ({ path, text }) => !isTest(path) && /new pg\.Client\b|\bclient: pg\.Client\(/.test(text),
    )
    .map(({ path }) => path);
  // The embedded server is this machine's own, and another relay's database is only read.
  expect(others.sort()).toEqual(["lib/db/embedded.ts", "lib/import/sources/postgres.ts"]);
  const pools = [...sourcesIn(root, ["app", "lib", "server", "cli"])].filter(
    ({ path, text }) => !isTest(path) && /new pg\.Pool\(/.test(text),
  );
  expect(pools.length).toBeGreaterThan(2);
  for (const { path, text } of pools) expect(text, path).toContain("Client: CheckedClient");
});

test("the bounds on time are set after connecting, where a pooler refuses them before", async () => {
  const pool = openPool(await createTestDatabase(), 1, 1234);
  onTestFinished(() => pool.end());
  expect((await pool.query("show statement_timeout")).rows).toEqual([
    { statement_timeout: "1234ms" },
  ]);
  const [client] = [new PrimaryClient({ connectionString: "postgresql://a/b?lock_timeout=5" })];
  const { connectionParameters } = client as unknown as { connectionParameters: object };
  expect(connectionParameters).toMatchObject({ lock_timeout: false });
});

test("a role whose transactions are read-only by default is refused", async () => {
  const url = await createTestDatabase();
  const owner = new PrimaryClient({ connectionString: ownerUrlOf(url) });
  await owner.connect();
  onTestFinished(() => owner.end());
  const name = new URL(url).pathname.slice(1);
  await owner.query(
    `alter role relay_app in database ${name} set default_transaction_read_only = on`,
  );
  await expect(new PrimaryClient({ connectionString: url }).connect()).rejects.toThrow(
    /^the server at 127\.0\.0\.1:\d+ is read-only$/,
  );
});

test("an attempt that its address took and never answers is given up once a later one is answered", async () => {
  const address = await DatabaseProxy.start(await createTestDatabase());
  onTestFinished(() => address.stop());
  address.isFrozen = true;
  const options = { connectionString: address.url, connectionTimeoutMillis: 600_000 };
  const attempts = [1, 2].map(() => new PrimaryClient(options).connect());
  await expect.poll(() => address.sockets.size).toBeGreaterThanOrEqual(4);
  // What comes from now on is passed on; what came before was lost.
  address.isFrozen = false;
  for (const attempt of attempts)
    await expect(attempt).rejects.toThrow("a later connection was answered");
}, 60_000);
