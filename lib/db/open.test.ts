import { connect, createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { overTcp } from "@/testing/db/run-server";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { listen } from "@/testing/stage/listen";
import { newFolder } from "@/testing/unit/new-folder";
import { readSettings } from "../settings/settings";
import { startEmbeddedPostgres } from "./embedded";
import { applyMigrations } from "./migrate";
import { openDatabase, ownsLedgerTables } from "./open";

const root = join(import.meta.dirname, "../..");
const folder = newFolder("open");

async function query(
  url: string,
  sql: string,
): Promise<{ rows: Record<string, unknown>[]; code?: string }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query(sql)
    .catch((error: { code: string }) => ({ rows: [], code: error.code }))
    .finally(() => client.end());
}
const insertion = "insert into wallet (account_id) values ('nobody')";

test("a data folder from before there were two roles gets them at its next start", async () => {
  const before = await startEmbeddedPostgres(folder);
  await applyMigrations(before.ownerUrl, root);
  await query(before.ownerUrl, "insert into account (id) values ('acct_kept')");
  expect((await query(before.ownerUrl, "drop role relay_app")).code).toBeUndefined();
  await before.stop();

  const { url, ownerUrl, close } = await openDatabase(
    readSettings({ RELAY_DATA_DIR: folder }),
    root,
  );
  expect((await query(url, "select current_user as role, id from account")).rows).toEqual([
    { role: "relay_app", id: "acct_kept" },
  ]);
  expect((await query(url, insertion)).code).toBe("42501");
  expect([await ownsLedgerTables(url), await ownsLedgerTables(ownerUrl)]).toEqual([false, true]);
  await close();
});

const open = (DATABASE_URL: string, DATABASE_OWNER_URL = "") =>
  openDatabase(readSettings({ DATABASE_URL, DATABASE_OWNER_URL }), root);

test("an external database is migrated by its owner, and a single role may still do both", async () => {
  const url = await createTestDatabase();
  const owner = ownerUrlOf(url);
  // The state of a database to which no migration was ever applied.
  await query(owner, "drop schema public cascade; create schema public");
  await expect(open(url)).rejects.toThrow("DATABASE_OWNER_URL");
  expect(await open(url, owner)).toMatchObject({
    url,
    ownerUrl: owner,
    applicationRole: "relay_app",
  });
  expect((await query(url, "select from account")).code).toBeUndefined();
  expect((await query(url, insertion)).code).toBe("42501");
  expect(await open(url)).toMatchObject({ url, ownerUrl: url });
  expect(await open(owner)).toMatchObject({ url: owner, applicationRole: undefined });
  await expect(open(url, ownerUrlOf(await createTestDatabase()))).rejects.toThrow(
    "another database",
  );
});

test("rights that were changed manually are corrected at the next start", async () => {
  const url = await createTestDatabase();
  const owner = ownerUrlOf(url);
  await query(
    owner,
    "grant all on all tables in schema public to relay_app; grant create on schema public to public",
  );
  await query(
    owner,
    "alter function ledger_open_wallet security invoker; grant execute on function ledger_reverse to public",
  );
  await open(url, owner);
  expect((await query(url, "truncate wallet")).code).toBe("42501");
  expect((await query(url, "create table own (id text)")).code).toBe("42501");
  expect((await query(url, "select ledger_reverse('', '', 0, 0, '')")).code).toBe("42501");
  await query(url, "insert into account (id) values ('acct_a')");
  expect((await query(url, "select ledger_open_wallet('acct_a')")).code).toBeUndefined();
});

/** A server's answer while it starts, as in PostgreSQL's protocol. */
function startingAnswer(): Buffer {
  const fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up"];
  const body = Buffer.from(`${fields.join("\0")}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

test("a server that is starting is waited for; one that is not there is an error at once", async () => {
  const url = new URL(overTcp(await createTestDatabase()));
  const target = { host: url.hostname, port: Number(url.port) };
  let asked = 0;
  const server = createServer((near) => {
    near.on("error", () => {});
    if (++asked <= 3) return void near.once("data", () => near.end(startingAnswer()));
    const far = connect(target);
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const gate = await listen(server);
  url.port = String(gate.port);
  const { close } = await open(url.href);
  await close();
  expect(asked).toBeGreaterThan(3);
  await gate.close();

  const before = performance.now();
  await expect(open(url.href)).rejects.toThrow("does not answer");
  expect(performance.now() - before).toBeLessThan(5000);
});
