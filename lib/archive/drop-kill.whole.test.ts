/** Kills the process that drops a month, with SIGKILL, after each of its steps and at any time between. */
import { expect, test } from "vitest";
import { ownerUrlOf } from "@/testing/db/test-database";
import { openArchivedMonths } from "@/testing/ledger/archived-months";
import { bundleChild } from "@/testing/ledger/child-bundle";
import { opened } from "@/testing/unit/opened";
import { isDropped, type Month } from "../ledger/archive/archive-register";

const scene = await opened(openArchivedMonths());
const child = await bundleChild("drop-child");

const steps = ["frozen", "compared", "found-free", "taken-out", "dropped"];
const wordsOf = ({ name }: Month, stopAt = 0) => [
  ownerUrlOf(scene.url),
  scene.url,
  scene.folder,
  name,
  String(stopAt),
];

/** The server of a killed process's connection may hold its locks for a moment. */
async function untilFree(): Promise<void> {
  const held = `select from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database()
    and (mode in ('ShareLock', 'AccessExclusiveLock') or objid in (7340211, 7340215, 7340216))`;
  const holders = async () => (await scene.owner.query(held)).rowCount;
  await expect.poll(holders, { timeout: 30_000 }).toBe(0);
}

/** All or nothing: the month has all of its rows and its partition, or none and a note. */
async function expectWhole(month: Month, rows: number): Promise<boolean> {
  await untilFree();
  const gone = await isDropped(scene.owner, month);
  const parts = (await scene.partitions()).filter((name) =>
    name.endsWith(month.name.replace("-", "_")),
  );
  expect([await scene.rowsOf(month), parts.length]).toEqual(gone ? [0, 0] : [rows, 1]);
  return gone;
}

test("kill -9 after any step leaves all of the month or none of it, and the next call completes it", {
  timeout: 240_000,
}, async () => {
  const month = scene.month(1);
  const rows = await scene.rowsOf(month);
  expect(rows).toBeGreaterThan(20);
  for (let stopAt = 1; stopAt <= steps.length; stopAt++) {
    const said = await child.run(wordsOf(month, stopAt));
    expect(said.trim().split(" ")).toEqual(["ready", ...steps.slice(0, stopAt)]);
    expect(await expectWhole(month, rows)).toBe(stopAt === steps.length);
  }
  expect(await child.run(wordsOf(month))).toBe("ready nothing");
  expect(await scene.audit()).toEqual(scene.untouched);
});

/** How much later the next kill comes. */
const GROWTH = 1.25;

test("kill -9 at any moment leaves all of the month or none of it", {
  timeout: 240_000,
}, async () => {
  let kills = 0;
  for (let place = 2; place < scene.count - 1; place++) {
    const month = scene.month(place);
    const rows = await scene.rowsOf(month);
    // Closer to each other at the start, so that a fast machine has several before it is done.
    for (let after = 2 * place; !(await expectWhole(month, rows)); after = after * GROWTH + 4) {
      await child.run(wordsOf(month), after);
      kills++;
    }
  }
  expect(kills).toBeGreaterThan(5);
  expect(await scene.audit()).toEqual(scene.untouched);
});
