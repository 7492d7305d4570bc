import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { byKey } from "@/testing/accounts/by-key";
import { createTestDatabase } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { openSecrets } from "../crypto/secrets";
import { openPool } from "../db/pool";
import { openDataFolder } from "../process/data-folder";
import { readSettings } from "../settings/settings";
import { createStoredResponses } from "../stored-responses/stored-responses";
import { forgetSecret, rotateSecret } from "./secrets";

const folder = newFolder("secrets");
const settings = readSettings({ RELAY_DATA_DIR: folder });

openDataFolder(folder);
const proxy = await opened(DatabaseProxy.start(await createTestDatabase()));
const pool = await opened(openPool(proxy.url, 2));

async function patiently<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: proxy.url });
  await client.connect();
  return work(client).finally(() => client.end());
}
const rotate = () => rotateSecret({ settings, pool, patiently }, "cli");
const forget = () => forgetSecret({ settings, pool }, "cli");
const recorded = async () =>
  (
    await pool.query<{ action: string }>("select action from operator_action order by seq")
  ).rows.map(({ action }) => action);

test("a rotation, or its end, that was interrupted before its record is completed by repeating it, and recorded once", async () => {
  openSecrets(settings);
  proxy.cutsRequest = (request) => request.includes("operator_action (");
  await expect(rotate()).rejects.toThrow();
  proxy.cutsRequest = () => false;
  const { current } = openSecrets(settings);
  await rotate();
  expect(openSecrets(settings).current).toBe(current);
  await expect(rotate()).rejects.toThrow(/secret forget/);
  expect(await recorded()).toEqual(["secret.rotate"]);

  proxy.cutsRequest = (request) => request.includes("operator_action (");
  await expect(forget()).rejects.toThrow();
  proxy.cutsRequest = () => false;
  expect(existsSync(join(folder, "secret.previous"))).toBe(true);
  await forget();
  expect(existsSync(join(folder, "secret.previous"))).toBe(false);
  expect(await recorded()).toEqual(["secret.rotate", "secret.forget"]);
});

test("a rotation covers the keys of stored responses, and does not end while one is left behind", async () => {
  await pool.query("insert into account (id) values ('acct_r')");
  const stored = () =>
    createStoredResponses({ pool, secrets: openSecrets(settings), days: () => 30 });
  const keep = (id: string) =>
    stored().keep(byKey("acct_r"), {
      id,
      model: "m",
      previousId: null,
      input: [],
      output: [],
      response: { id },
    });
  expect(await keep("resp_1")).toBe(true);
  const { rows } = await pool.query("select sealed_key as key from response_account");
  await rotate();
  await pool.query("update response_account set sealed_key = $1", [rows[0].key]);
  await expect(forget()).rejects.toThrow(/stored responses are still encrypted/);
  await rotate();
  await expect(rotate()).rejects.toThrow(/secret forget/);
  await forget();
  expect(await stored().find(byKey("acct_r"), "resp_1")).toMatchObject({ id: "resp_1" });
});
