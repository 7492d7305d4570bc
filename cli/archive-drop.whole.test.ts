/** Months that are dropped by the command line, as the role that owns the tables. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { type Month, monthsToArchive } from "@/lib/ledger/archive/archive-register";
import { sealLedger } from "@/lib/ledger/audit/seal";
import { openTestCommands } from "@/testing/cli/commands";
import { ownerUrlOf } from "@/testing/db/test-database";
import { daysSinceMonth, giveMonthsPartitions } from "@/testing/ledger/own-partitions";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";

// Full audits on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const commands = await opened(openTestCommands());
const url = commands.environment.DATABASE_URL;
const owner = await opened(connect(url));
let months: Month[];
const name = (place: number) => months[place]?.name ?? "";

beforeAll(async () => {
  await giveMonthsPartitions(owner, 6);
  await seedHistory(owner, url, { requests: 500, days: daysSinceMonth(7) });
  await sealLedger(owner, { piece: 100 });
  months = await monthsToArchive(owner);
}, 120_000);

/** A command of archives, with the owner's address and this setting. */
async function owned(keep: string, ...words: string[]) {
  const variables = {
    DATABASE_OWNER_URL: ownerUrlOf(commands.environment.DATABASE_URL ?? ""),
    RELAY_KEEP_REQUEST_MONTHS: keep,
  };
  const exit = await commands.relayWith({ variables }, "archive", ...words, "--json");
  return { ...exit, json: exit.out === "" ? null : JSON.parse(exit.out) };
}
const rowsOf = async ({ starts, below }: Month) =>
  (await owner.query("select from request where id >= $1 and id < $2", [starts, below])).rowCount;
const last = () => months.at(-1) as Month;

test("without the owner's address nothing is dropped, and without the setting nothing is done", async () => {
  expect(months).toHaveLength(4);
  for (const words of [["drop", "--month", name(1)], ["keep"]]) {
    const variables = { RELAY_KEEP_REQUEST_MONTHS: "4" };
    const { code, out, err } = await commands.relayWith({ variables }, "archive", ...words);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("set DATABASE_OWNER_URL");
  }
  expect((await owned("0", "keep")).json).toEqual({
    archived: [],
    dropped: [],
    shared: [],
    failed: [],
  });
  expect((await commands.relay("archive list --json")).out).toBe('{"archives":[]}\n');
  for (const keep of ["3", "-1", "4.5", "x"]) {
    const { code, err } = await owned(keep, "keep");
    expect([keep, code, err.includes("RELAY_KEEP_REQUEST_MONTHS")]).toEqual([keep, 1, true]);
  }
});

test("keep archives what is old enough, and drops what is older than the setting", async () => {
  const { code, json } = await owned("4", "keep");
  const older = months.slice(1, -1).map((month) => month.name);
  expect([code, json]).toEqual([
    0,
    {
      archived: months.map((month) => month.name),
      dropped: older,
      shared: [name(0)],
      failed: [],
    },
  ]);
  expect(await rowsOf(last())).toBeGreaterThan(0);
  const { out } = await commands.relay("archive list --json");
  const states = JSON.parse(out).archives.map(({ state }: { state: string }) => state);
  expect(states).toEqual(["complete", ...older.map(() => "only in files"), "complete"]);
  const audit = await commands.relay("ledger audit --full --json");
  expect([audit.code, JSON.parse(audit.out).ok]).toEqual([0, true]);
  expect((await owned("4", "keep")).json).toMatchObject({ dropped: [], shared: [name(0)] });
});

test("drop takes one month out, says when it was dropped before, and refuses one that shares its partition", async () => {
  expect((await owned("0", "drop")).code).toBe(2);
  expect((await owned("0", "drop", "--month", "2026-13")).code).toBe(2);
  const shared = await owned("0", "drop", "--month", name(0));
  expect([shared.code, shared.out]).toEqual([1, ""]);
  expect(shared.err).toBe(
    `${name(0)} is not dropped: it shares its partition with other months, and stays in the database\n`,
  );
  expect((await owned("0", "drop", "--month", "2020-01")).err).toContain("is not archived");
  const one = await owned("0", "drop", "--month", last().name);
  expect([one.code, one.json]).toEqual([0, { dropped: [last().name] }]);
  expect(await rowsOf(last())).toBe(0);
  const again = await owned("0", "drop", "--month", last().name);
  expect([again.code, again.json]).toEqual([0, { dropped: [] }]);
});

test("a lost file of a dropped month is found by verify and by the full audit", async () => {
  const folder = join(commands.environment.RELAY_DATA_DIR ?? "", "media");
  const file = readdirSync(folder).find((each) => each.includes(name(1).replace("-", "_"))) ?? "";
  rmSync(join(folder, file));
  const verify = await commands.relay("archive verify");
  expect([verify.code, verify.out.includes(`${file} is missing`)]).toEqual([1, true]);
  const audit = await commands.relay("ledger audit --full");
  expect([audit.code, audit.out.includes(`${file} is missing`)]).toEqual([1, true]);
});
