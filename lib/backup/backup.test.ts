/**
 * Tests that a backup is a snapshot of the whole database, and that an installation restored from
 * it works.
 */

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { isWhole } from "@/testing/extent/extent";
import { connect } from "@/testing/ledger/test-ledger";
import { openTestRelay } from "@/testing/relay/test-relay";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { completion, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { offerModel, retireModel } from "../commands/model-states";
import { changeModel, createModel } from "../commands/models";
import { APPLICATION_ROLE } from "../db/embedded";
import { auditLedger } from "../ledger/audit/audit";
import { noOutcome } from "../ledger/core/verbs";
import { createLedger } from "../ledger/ledger";
import { countAll, countPiece } from "../ledger/usage/usage-counter";
import { readCatalogue } from "../model-book/read-models";
import { readPrices } from "../price-book/price-book";
import { createBackup } from "./create-backup";
import { restoreBackup } from "./restore-backup";

const folder = newFolder("backup");
const project = join(import.meta.dirname, "../..");
const awkward =
  "tab\there, line\nend, return\r, \\N, \\., \u2028 separator, null 'quoted' and ünïcode 🎬";
/** What the backup under load was restored to. */
let afterLoad: string;

const upstream = await opened(
  startUpstream(async (response) => {
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    sendJson(response, completion("hi", { usage: usageOf(10, 10) }));
  }),
);
const relay = await opened(openTestRelay({ channels: [upstream.channel()] }));

const ownerOf = (url: string) => ({ ownerUrl: ownerUrlOf(url), applicationRole: APPLICATION_ROLE });

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  return work(client).finally(() => client.end());
}

const count = (url: string, what: string) =>
  withClient(
    url,
    async (client) =>
      (await client.query<{ n: number }>(`select count(*)::int as n from ${what}`)).rows[0]?.n ??
      -1,
  );

test("a backup taken under load restores into another database: the audit is clean, nothing stays held, and requests work", async () => {
  await relay.pool.query("update api_key set name = $1", [awkward]);
  let isLoaded = true;
  let answered = 0;
  const callers = Array.from({ length: 12 }, async () => {
    while (isLoaded) if ((await relay.chat()).status === 200) answered++;
  });
  const file = join(folder, "under-load");
  const { before, report } = await (async () => {
    await expect.poll(() => answered, { timeout: 15_000 }).toBeGreaterThan(50);
    // Some requests are in the sums, others wait for them.
    await countPiece(relay.pool, 20);
    return { before: answered, report: await createBackup(relay.seeded.url, file) };
  })().finally(() => {
    // Otherwise the callers go on without end, and nothing else gets a turn.
    isLoaded = false;
  });
  await Promise.all(callers);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const url = await createTestDatabase();
  afterLoad = url;
  const restored = await restoreBackup(ownerOf(url), file, project);
  expect(restored.rows).toBe(report.rows);
  const open = await count(url, "open_request");
  expect(await count(url, "request")).toBeGreaterThanOrEqual(before);

  const ledger = await createLedger({
    databaseUrl: url,
    spoolFolder: join(folder, "spool"),
    nodeId: "node_new",
  });
  let released = 0;
  for (const node of restored.nodes) released += await ledger.releaseNode(node, "test");
  expect(released).toBe(open);
  const operationId = crypto.randomUUID();
  const price = await withClient(url, (client) =>
    client.query<{ id: string }>("select id from price_version where model = 'RelayV1'"),
  );
  const held = await ledger.openHold({
    operationId,
    accountId: relay.accountId,
    apiKeyId: "key_a",
    source: "api",
    requestId: "req_after",
    family: "text",
    model: "RelayV1",
    priceVersionId: String(price.rows[0]?.id),
    multiplierPpm: 1_000_000,
    quoteAmount: 10n,
    holdAmount: 10n,
    holdAmountMin: 10n,
    requestSha256: new Uint8Array(32),
    deadlineSeconds: 60,
  });
  expect(held.result).toBe("held");
  await ledger.release({
    operationId,
    accountId: relay.accountId,
    reason: "test",
    loss: null,
    outcome: noOutcome,
  });
  const entry = {
    accountId: relay.accountId,
    kind: "grant",
    ref: "after",
    amount: 1n,
    reason: "test",
    actor: "test",
  } as const;
  expect((await ledger.credit(entry)).result).toBe("done");
  await ledger.close();

  const audit = await withClient(url, auditLedger);
  expect(audit.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(await count(url, "open_request")).toBe(0);
  await withClient(url, async (client) => {
    await countAll(client);
    const counted = await client.query("select sum(settled + released)::int as n from usage_hour");
    expect(counted.rows).toEqual([{ n: await count(url, "request") }]);
    expect((await auditLedger(client)).ok).toBe(true);
  });
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>("select name from api_key"),
  );
  expect(rows).toEqual([{ name: awkward }]);
});

test("models, their versions, names and prices are restored, and new ones come after them", async () => {
  const { pool } = relay;
  const file = (id: string, seconds: number[]) => ({
    id,
    family: "video",
    aliases: [`${id}-alias`],
    spec: { durations: seconds, resolutions: ["480p"] },
    rates: [{ unit: "second", points: 3 }],
  });
  for (const id of ["acme-old", "acme-new"]) {
    await createModel({ pool }, "test", file(id, [4]));
    await offerModel({ pool }, "test", { id, anyway: "for a test" });
  }
  await changeModel({ pool }, "test", { id: "acme-old", content: file("acme-old", [4, 8]) });
  const ends = { id: "acme-old", on: null, replacedBy: "acme-new" };
  await retireModel({ pool }, "test", ends);
  const path = join(folder, "models");
  await createBackup(relay.seeded.url, path);
  const url = await createTestDatabase();
  await restoreBackup(ownerOf(url), path, project);
  const restored = new pg.Pool({ connectionString: url, max: 1 });
  try {
    expect(await readCatalogue(restored)).toEqual(await readCatalogue(pool));
    expect(await readPrices(restored)).toEqual(await readPrices(pool));
    const taken = createModel({ pool: restored }, "test", file("ACME-OLD-alias", [4]));
    await expect(taken).rejects.toThrow("keeps it");
    await createModel({ pool: restored }, "test", file("acme-next", [4]));
    expect((await readCatalogue(restored)).models.at(-1)?.id).toBe("acme-next");
  } finally {
    await restored.end();
  }
});

test("the rules that protect the ledger also protect a restored one", async () => {
  const url = afterLoad;
  const refused = (sql: string) =>
    withClient(url, (client) =>
      client.query(sql).then(
        () => "done",
        (error: Error) => error.message,
      ),
    );
  expect(await refused("delete from request")).not.toBe("done");
  expect(await refused("update wallet set debits_posted = debits_posted - 1")).not.toBe("done");
  const partitions = "(select inhrelid from pg_inherits)";
  for (const what of [
    `pg_trigger where not tgisinternal and tgenabled = 'O' and tgrelid not in ${partitions}`,
    `pg_constraint where conrelid not in ${partitions}`,
    `pg_index where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and not relispartition)`,
  ]) {
    expect(await count(url, what), what).toBe(await count(relay.seeded.url, what));
  }
  // A restored month may have partitions of its own, each with the same rules.
  const { rows } = await withClient(url, (client) =>
    client.query<{ table: string; months: number; rules: string[] }>(
      `select parent as table, count(*)::int as months, array_agg(distinct rules) as rules from (
         select i.inhparent::regclass::text as parent, concat_ws(' ',
                (select count(*) from pg_trigger t where t.tgrelid = i.inhrelid and t.tgenabled = 'O' and not t.tgisinternal),
                (select count(*) from pg_constraint c where c.conrelid = i.inhrelid),
                (select count(*) from pg_index x where x.indrelid = i.inhrelid)) as rules
           from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relname ~ '^request_\\d{4}_\\d{2}$') p
        group by 1 order by 1`,
    ),
  );
  expect(rows.map(({ table, rules }) => [table, rules.length])).toEqual([["request", 1]]);
  expect(rows[0]?.months).toBeGreaterThan(3);
});

test("a truncated, damaged or foreign file is refused with one line and leaves no accounts", async () => {
  const whole = join(folder, "whole");
  await createBackup(relay.seeded.url, whole);
  const text = gunzipSync(readFileSync(whole)).toString();
  const lines = text.split("\n");
  const broken: Record<string, Buffer> = {
    "cut in a table": gzipSync(lines.slice(0, lines.length / 2).join("\n")),
    "of another kind": gzipSync("select 1;\n"),
    "not packed": Buffer.from(text),
    "of a newer version": gzipSync(
      text.replace('"migrations":[', '"migrations":["20990101000000_future",'),
    ),
    "of the release before": gzipSync(
      text.replace('"migrations":[', '"migrations":["20261121000000_accounts",'),
    ),
  };
  // Each of these makes all tables before it fails.
  if (isWhole)
    Object.assign(broken, {
      "cut in its bytes": readFileSync(whole).subarray(0, 2000),
      "cut between tables": gzipSync(lines.slice(0, -2).join("\n")),
      "without a row": gzipSync(lines.filter((line) => !line.startsWith("acct_a\t")).join("\n")),
    });
  const url = await createTestDatabase();
  for (const [what, bytes] of Object.entries(broken)) {
    const file = join(folder, "broken");
    writeFileSync(file, bytes);
    const reason = await restoreBackup(ownerOf(url), file, project).then(
      () => "restored",
      (error: Error) => error.message,
    );
    expect(reason, what).not.toBe("restored");
    expect(reason.split("\n"), what).toHaveLength(1);
    if (what === "of the release before")
      expect(reason).toContain("restore it with release 0.1.0, then start this one");
    if (await count(url, "pg_class where relname = 'account'"))
      expect(await count(url, "account"), what).toBe(0);
  }
  if (isWhole) await restoreBackup(ownerOf(url), whole, project);
  await expect(restoreBackup(ownerOf(afterLoad), whole, project)).rejects.toThrow(
    "the database has accounts",
  );
});

test("a backup that cannot be written keeps the previous file", async () => {
  const file = join(folder, "kept");
  writeFileSync(file, "yesterday");
  await expect(createBackup("postgres://nobody@127.0.0.1:1/none", file)).rejects.toThrow();
  expect(readFileSync(file, "utf8")).toBe("yesterday");
  await expect(
    createBackup(relay.seeded.url, join(folder, "no-such-folder", "file")),
  ).rejects.toThrow("ENOENT");
});
