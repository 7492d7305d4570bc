/** Kills the process that archives, with SIGKILL, after each of its steps. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { bundleChild } from "@/testing/ledger/child-bundle";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import {
  archivedMonths,
  type Month,
  monthsToArchive,
  partsOf,
} from "../ledger/archive/archive-register";
import { sealLedger } from "../ledger/audit/seal";
import { openFolderStore } from "../media/folder-store";
import { verifyMonth, verifyRegister } from "./verify-archive";

test("kill -9 after any step of an archive loses no request and writes none twice", {
  timeout: 600_000,
}, async () => {
  const url = await createTestDatabase();
  const folder = newFolder("archive-kill");
  const owner = await connect(url);
  // One part of the month, or five.
  await seedHistory(owner, url, { requests: 1200, days: 160 });
  await sealLedger(owner, { piece: 200 });
  const month = (await monthsToArchive(owner))[1] as Month;
  const child = await bundleChild("archive-child");
  let kills = 0;
  // It starts again with the first part that is not noted, so each run comes one part further.
  for (let stopAt = 1; ; stopAt = stopAt === 4 ? 1 : stopAt + 1) {
    const said = await child.run([url, folder, month.name, String(stopAt)]);
    if (said.endsWith("done")) break;
    expect(said.trim().split(" ")).toHaveLength(stopAt);
    kills++;
    // The server of a killed process's connection may hold its lock for a moment.
    const held =
      "select from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and objid = 7340215";
    const holders = async () => (await owner.query(held)).rowCount;
    await expect.poll(holders, { timeout: 20_000 }).toBe(0);
    if (kills > 40) throw new Error("it makes no progress");
  }
  expect(kills).toBeGreaterThanOrEqual(8);
  const parts = await partsOf(owner, month);
  expect(readdirSync(folder).filter((name) => !name.startsWith("."))).toEqual(
    parts.map(({ file }) => file),
  );
  const blobs = await openFolderStore(folder);
  const found = await verifyMonth(owner, blobs, month);
  expect(found.filter(({ fault }) => fault !== null)).toEqual([]);
  expect((await verifyRegister(owner)).filter(({ ok }) => !ok)).toEqual([]);
  const { rows } = await owner.query<{ n: number }>(
    "select count(*)::int as n from request where id >= $1 and id < $2",
    [month.starts, month.below],
  );
  expect(found.reduce((sum, { requests }) => sum + requests, 0)).toBe(rows[0]?.n);
  expect(await archivedMonths(owner)).toMatchObject([{ month: month.name, isComplete: true }]);
  await owner.end();
});
