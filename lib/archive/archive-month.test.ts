import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent, isWhole } from "@/testing/extent/extent";
import { openEarlier, seedHistory } from "@/testing/ledger/sealed-history";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { openPool } from "../db/pool";
import {
  archivedMonths,
  type Month,
  monthOf,
  monthsToArchive,
  partsOf,
} from "../ledger/archive/archive-register";
import { auditSealed } from "../ledger/audit/audit-sealed";
import { sealLedger } from "../ledger/audit/seal";
import type { BlobStore } from "../media/blob-store";
import { openFolderStore } from "../media/folder-store";
import { archiveMonth } from "./archive-month";
import { archivedRequest, verifyMonth, verifyRegister } from "./verify-archive";

const folder = newFolder("archive");
/** Archived by the tests, one after another. */
let months: Month[];
const first = () => months[0] as Month;

const url = await createTestDatabase();
const owner = await opened(connect(url));
const product = await opened(openPool(url, 4));
const client = await opened(product.connect(), (each) => each.release(true));
await client.query("set statement_timeout = 0");
const ledger = await opened(openTestLedger(url));
const blobs = await openFolderStore(folder);
await seedHistory(owner, url, { requests: extent(1400, 2300), days: 230 });

const inMonth = async (month: Month) =>
  (
    await owner.query<Record<string, unknown> & { id: string }>(
      "select * from request where id >= $1 and id < $2 order by id",
      [month.starts, month.below],
    )
  ).rows;
/** The members of a line's two objects, in their order. */
const members = [
  "id,account_id,api_key_id,source,request_id,family,model,price_version_id,multiplier_ppm,quote_amount,hold_amount,request_sha256,node_id,created_at,deadline,dialect,model_version_id,tags",
  "operation_id,account_id,hold_amount,outcome,amount,input_tokens,output_tokens,usage,reason,channel_id,upstream_ref,is_stream,is_abandoned,duration_ms,first_byte_ms,created_at",
];
const faults = async (month: Month) =>
  (await verifyMonth(client, blobs, month)).map(({ fault }) => fault).filter((fault) => fault);
const filesNow = () => readdirSync(folder).sort();
const linesIn = (file: string) =>
  gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .trimEnd()
    .split("\n");

test("what is not sealed, or younger than three full months, is refused, and no file is made", async () => {
  months = await monthsToArchive(client);
  expect(months.length).toBeGreaterThanOrEqual(2);
  const limit = new Date();
  const youngest = Date.UTC(limit.getUTCFullYear(), limit.getUTCMonth() - 4);
  expect(months.at(-1)?.name).toBe(monthOf(youngest).name);
  await expect(archiveMonth(client, blobs, first())).rejects.toThrow(/has not sealed/);
  await sealLedger(client, { piece: 100 });
  const young = monthOf(Date.UTC(limit.getUTCFullYear(), limit.getUTCMonth() - 3));
  await expect(archiveMonth(client, blobs, young)).rejects.toThrow(/3 full months/);
  expect(filesNow()).toEqual([]);
});

test("every request of the month is in its files, column by column; parts have no more than was asked for", async () => {
  const month = first();
  const before = await auditSealed(owner, { isFull: true });
  expect(await archiveMonth(client, blobs, month, { requestsOfPart: 40 })).toBe(true);
  const requests = await inMonth(month);
  const parts = await partsOf(client, month);
  expect(parts.length).toBe(Math.ceil(requests.length / 40));
  expect(filesNow()).toEqual(parts.map(({ file }) => file));
  const found = parts.flatMap(({ file }) =>
    linesIn(file)
      .slice(1, -1)
      .map((line) => JSON.parse(line)),
  );
  expect(found.map(({ operation }) => operation.id)).toEqual(requests.map(({ id }) => id));
  for (const [at, { operation, settlement }] of found.entries()) {
    const r = requests[at];
    expect([Object.keys(operation), Object.keys(settlement)].map(String)).toEqual(members);
    const columns = Object.keys({ ...r, operation_id: "" }).sort();
    expect(Object.keys({ ...settlement, ...operation, ended_at: "" }).sort()).toEqual(columns);
    expect([operation.account_id, operation.request_id]).toEqual([r?.account_id, r?.request_id]);
    expect([String(settlement.amount), settlement.usage]).toEqual([r?.amount, r?.usage]);
  }
  expect(await faults(month)).toEqual([]);
  expect((await verifyRegister(client)).every(({ ok }) => ok)).toBe(true);
  const charged = requests.reduce((sum, { amount }) => sum + BigInt(String(amount)), 0n);
  expect(await archivedMonths(product)).toMatchObject([
    { month: month.name, isComplete: true, requests: requests.length, charged: String(charged) },
  ]);
  const after = await auditSealed(owner, { isFull: true });
  expect([after.ok, after.entries]).toEqual([true, before.entries]);
});

test("a month is archived once: again, it is left as it is, and two at once do not both write", async () => {
  const files = filesNow();
  expect(await archiveMonth(client, blobs, first())).toBe(false);
  expect(filesNow()).toEqual(files);
  expect((await monthsToArchive(client)).map(({ name }) => name)).not.toContain(first().name);
  const other = await connect(url);
  const second = months[1] as Month;
  const both = await Promise.allSettled([
    archiveMonth(client, blobs, second),
    archiveMonth(other, blobs, second),
  ]);
  await other.end();
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: "Another process is archiving." },
  });
  expect(await faults(second)).toEqual([]);
  expect(await partsOf(client, second)).toHaveLength(1);
});

test("a request is found in its file by its id, and no other is", async () => {
  const [one] = await inMonth(first());
  const { file, request } = await archivedRequest(product, blobs, String(one?.id));
  expect(filesNow()).toContain(file);
  expect(request).toMatchObject({ operation: { request_id: one?.request_id } });
  const missing = `${String(one?.id).slice(0, 24)}000000000000`;
  await expect(archivedRequest(product, blobs, missing)).rejects.toThrow(/in no archive/);
});

test.runIf(isWhole)(
  "any flipped byte of a file is found, and so is one that is cut, packed anew, or missing",
  async () => {
    const { file } = (await partsOf(client, first()))[0] ?? { file: "" };
    const path = join(folder, file);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += extent(2503, 97)) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      expect([at, await faults(first())]).toEqual([at, [expect.stringContaining("SHA-256")]]);
    }
    writeFileSync(path, gzipSync(gunzipSync(whole), { level: 1 }));
    expect(await faults(first())).toHaveLength(1);
    writeFileSync(path, whole.subarray(0, -10));
    expect(await faults(first())).toEqual([expect.stringContaining("cannot be read")]);
    rmSync(path);
    expect(await faults(first())).toEqual([expect.stringContaining("is missing")]);
    await expect(
      archivedRequest(product, blobs, (await inMonth(first()))[0]?.id ?? ""),
    ).rejects.toThrow(file);
    writeFileSync(path, whole);
    expect(await faults(first())).toEqual([]);
  },
);

test("the notes cannot be changed, and one that was rewritten around the rules is found", async () => {
  const refused = (sql: string) => owner.query(sql).catch(({ code }) => code);
  for (const table of ["ledger_archive", "ledger_archive_part"])
    for (const sql of [
      `update ${table} set charged = 0`,
      `delete from ${table}`,
      `truncate ${table}`,
    ])
      expect([sql, await refused(sql)]).toEqual([sql, "23000"]);
  await expect(product.query("insert into ledger_archive default values")).rejects.toMatchObject({
    code: "42501",
  });
  const broken = async (sql: string) => {
    await owner.query("begin; set local session_replication_role = replica");
    await owner.query(sql);
    const found = (await verifyRegister(owner)).filter(({ ok }) => !ok).length;
    await owner.query("rollback");
    return found;
  };
  expect(await broken("update ledger_archive set charged = charged + 1 where number = 1")).toBe(2);
  expect(await broken("update ledger_archive set seal_hash = sha256('x') where number = 2")).toBe(
    1,
  );
  expect(await broken("update ledger_archive_part set sha256 = sha256('x') where number = 1")).toBe(
    1,
  );
  expect(await broken("delete from ledger_archive where number = 1")).toBe(1);
});

test("the database notes no part whose figures are not those of its rows", async () => {
  const third = months[2] as Month;
  const add = (requests: number, charged: number) =>
    client
      .query("select ledger_archive_add($1, $2, 'x.gz', 1, $3, $4, 0, $5, $3, $3)", [
        third.day,
        third.below,
        Buffer.alloc(32),
        requests,
        charged,
      ])
      .catch(({ message }) => message);
  const rows = await inMonth(third);
  const charged = rows.reduce((sum, { amount }) => sum + Number(amount), 0);
  for (const [requests, sum] of [
    [rows.length, charged],
    [rows.length - 1, charged],
    [rows.length, 0],
  ])
    expect(await add(requests ?? 0, sum ?? 0)).toMatch(/other requests than the database/);
  await expect(client.query("select ledger_archive_close($1)", [third.day])).rejects.toThrow(
    /do not have all requests/,
  );
});

test("a month is not archived when a row is not as it was sealed", async () => {
  const third = months[2] as Month;
  const rows = await inMonth(third);
  const row = rows.find(({ amount }) => Number(amount) > 0);
  const change = async (amount: unknown) => {
    await owner.query("begin; set local session_replication_role = replica");
    await owner.query("update request set amount = $2 where id = $1", [row?.id, amount]);
    await owner.query("commit");
  };
  const files = filesNow();
  await change(Number(row?.amount) + 1);
  await expect(archiveMonth(client, blobs, third)).rejects.toThrow(/not as it was sealed/);
  await change(row?.amount);
  expect(filesNow()).toEqual(files);
});

test.runIf(isWhole)(
  "a file that is damaged before it was read back is not noted, and is written anew",
  async () => {
    const third = months[2] as Month;
    const damaging: BlobStore = {
      ...blobs,
      async write(name, bytes) {
        await blobs.write(name, bytes);
        const written = readFileSync(join(folder, name));
        written[200] = (written[200] ?? 0) ^ 8;
        writeFileSync(join(folder, name), written);
      },
    };
    await expect(archiveMonth(client, damaging, third)).rejects.toThrow(/SHA-256/);
    expect(await partsOf(client, third)).toEqual([]);
    const full: BlobStore = { ...blobs, write: () => Promise.reject(new Error("no space left")) };
    await expect(archiveMonth(client, full, third)).rejects.toThrow(/no space left/);
    expect(await archiveMonth(client, blobs, third)).toBe(true);
    expect(await faults(third)).toEqual([]);
  },
);

test("a month with a request that has not ended is refused, and then until its end is sealed", async () => {
  const last = months.at(-1) as Month;
  const hours = Math.floor((Date.now() - Date.parse(`${last.name}-20`)) / 3_600_000);
  const open = await openEarlier(owner, "acct_history_3", hours);
  await expect(archiveMonth(client, blobs, last)).rejects.toThrow(/has not ended/);
  const outcome = { channelId: null, upstreamRef: null, isStream: false, durationMs: 1 };
  await ledger.release({
    ...open,
    reason: "test",
    loss: null,
    outcome: { ...outcome, isAbandoned: false, firstByteMs: null },
  });
  await expect(archiveMonth(client, blobs, last)).rejects.toThrow(/has not sealed/);
});
