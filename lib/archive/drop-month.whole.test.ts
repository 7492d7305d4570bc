/** An archived month is dropped only when every row is in its files, and nothing else changes. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { forge, openArchivedMonths } from "@/testing/ledger/archived-months";
import { opened } from "@/testing/unit/opened";
import { newOperationId } from "../crypto/ids";
import { MONTHS_LOCK } from "../db/kept-months";
import { monthOf, partsOf } from "../ledger/archive/archive-register";
import { auditSealed } from "../ledger/audit/audit-sealed";
import { verifyDay } from "../ledger/audit/seal-verify";
import type { BlobStore } from "../media/blob-store";
import { archivedFiles } from "./archived-files";
import { dropMonth } from "./drop-month";
import { archivedRequest } from "./verify-archive";

// Full audits on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const scene = await opened(openArchivedMonths());

const drop = (place: number, blobs = scene.blobs) =>
  dropMonth({ owner: scene.owner, reader: scene.product, blobs }, scene.month(place));

test("a month is dropped: its partition is gone, and audits, balances and the request are as before", async () => {
  const { owner, product, month, blobs } = scene;
  const wallets = await scene.wallets();
  const { rows } = await owner.query<{ id: string; day: string }>(
    `select id, (ended_at at time zone 'UTC')::date::text as day from request
      where id >= $1 and id < $2 order by id offset 9 limit 1`,
    [month(2).starts, month(2).below],
  );
  const { id, day } = rows[0] ?? { id: "", day: "" };
  const parts = await scene.partitions();
  expect(await drop(2)).toBe(true);
  expect(await scene.rowsOf(month(2))).toBe(0);
  const name = month(2).name.replace("-", "_");
  const left = parts.filter((part) => !part.endsWith(name));
  expect([await scene.partitions(), left.length]).toEqual([left, parts.length - 1]);
  expect(await scene.audit()).toEqual(scene.untouched);
  expect((await auditSealed(owner)).ok).toBe(true);
  const ofDay = (await verifyDay(owner, day, { files: archivedFiles(blobs) })) ?? [];
  expect([ofDay.length > 0, ofDay.filter(({ ok }) => !ok)]).toEqual([true, []]);
  expect(await scene.wallets()).toEqual(wallets);
  expect(await archivedRequest(product, blobs, id)).toMatchObject({
    request: { operation: { id } },
  });
  expect(await drop(2)).toBe(false);
});

test("a month that shares a partition, is not archived, or is too young is refused", async () => {
  const { month, partitions, count } = scene;
  const names = await partitions();
  const part = (place: number) => `request_${month(place).name.replace("-", "_")}`;
  expect([names.includes(part(0)), names.includes(part(1))]).toEqual([false, true]);
  await expect(drop(0)).rejects.toThrow(/shares its partition with other months, and stays/);
  await expect(drop(count - 1)).rejects.toThrow(/the month is not archived/);
  const { owner, product, blobs } = scene;
  const young = dropMonth({ owner, reader: product, blobs }, monthOf(Date.now()));
  await expect(young).rejects.toThrow(/the month is not archived/);
  expect(await partitions()).toEqual(names);
});

/** Whether a drop is refused for a reason, changes nothing, and leaves no lock. */
async function expectKept(reason: RegExp, blobs = scene.blobs): Promise<void> {
  const rows = await scene.rowsOf(scene.month(1));
  await expect(drop(1, blobs)).rejects.toThrow(reason);
  expect(await scene.rowsOf(scene.month(1))).toBe(rows);
  const held = await scene.owner.query(
    `select from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database()
        and (mode in ('ShareLock', 'AccessExclusiveLock') or objid in (7340211, 7340215, 7340216))`,
  );
  expect(held.rowCount).toBe(0);
}

test("a changed byte, a missing file and a store that fails keep the month", async () => {
  const { owner, folder, month, blobs } = scene;
  const { file } = (await partsOf(owner, month(1))).at(-1) ?? { file: "" };
  const path = join(folder, file);
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged[whole.length >> 1] = (damaged[whole.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, damaged);
  await expectKept(new RegExp(`${file} is not as it was written`));
  rmSync(path);
  await expectKept(new RegExp(`${file} is missing`));
  writeFileSync(path, whole);
  let reads = 0;
  const failing: BlobStore = {
    ...blobs,
    read: (...asked) =>
      ++reads === 3 ? Promise.reject(new Error("503 from the store")) : blobs.read(...asked),
  };
  await expectKept(/cannot be read: 503 from the store/, failing);
  expect(reads).toBe(3);
});

test("a row that is in no file, is missing, or is another than in its file keeps the month", async () => {
  const { other, month } = scene;
  const one = `(select id from request where id >= '${month(1).starts}' order by id limit 1)`;
  // As with a wrong clock, after the month was archived.
  const id = newOperationId(Date.parse(`${month(1).name}-15`));
  await forge(
    other,
    `create table aside as select * from request where id = ${one}; update aside set id = '${id}'; insert into request select * from aside`,
  );
  await expectKept(/the table has \d+ rows of it, the files \d+ requests/);
  await forge(other, `delete from request where id = '${id}'`);
  const longer = (by: string) =>
    forge(other, `update request set duration_ms = duration_ms ${by} where id = ${one}`);
  await longer("+ 1");
  await expectKept(/is not as the database has it/);
  await longer("- 1");
  await forge(
    other,
    `create table gone as select * from request where id = ${one}; delete from request where id = ${one}`,
  );
  await expectKept(/is not as the database has it/);
  await forge(other, "insert into request select * from gone");
});

test("changed notes, and requests that are in no sum, keep the month", async () => {
  const { other, month } = scene;
  const { starts, day } = month(1);
  await forge(other, `update ledger_archive_part set charged = charged + 1 where month = '${day}'`);
  await expectKept(/every archived month has the parts that it was made of/);
  await forge(other, `update ledger_archive_part set charged = charged - 1 where month = '${day}'`);
  await forge(
    other,
    `insert into usage_waiting (operation_id, account_id) values ('${starts}', 'a')`,
  );
  await expectKept(/a request is not in the sums/);
  await forge(other, `delete from usage_waiting where operation_id = '${starts}'`);
});

test("nothing writes to a month while its files are compared, and everything reads it", async () => {
  const { owner, other, product, month, blobs } = scene;
  const { rows } = await product.query<{ id: string }>(
    "select id from request where id >= $1 order by id limit 1",
    [month(1).starts],
  );
  const id = newOperationId(Date.parse(`${month(1).name}-15`));
  async function attempt(): Promise<unknown[]> {
    await other.query("set lock_timeout = '200ms'");
    const written = await other
      .query(
        "insert into request select (jsonb_populate_record(r, jsonb_build_object('id', $1::text))).* from request r where id = $2",
        [id, rows[0]?.id],
      )
      .catch((error: { code: string }) => error.code);
    await other.query("reset lock_timeout");
    const read = await other.query("select from request where id = $1", [rows[0]?.id]);
    return [written, read.rowCount];
  }
  let found: unknown[] | undefined;
  const slow: BlobStore = {
    ...blobs,
    async read(...asked) {
      found ??= await attempt();
      return blobs.read(...asked);
    },
  };
  await product.query("select pg_advisory_lock_shared($1)", [MONTHS_LOCK]);
  const place = { owner, reader: product, blobs: slow };
  await expect(dropMonth(place, month(1), { patienceMs: 0 })).rejects.toThrow(/a backup/);
  await product.query("select pg_advisory_unlock_shared($1)", [MONTHS_LOCK]);
  expect(found).toEqual(["55P03", 1]);
});
