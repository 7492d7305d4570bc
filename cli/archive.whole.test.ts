import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newId } from "@/lib/crypto/ids";
import { type Month, monthOf, monthsToArchive } from "@/lib/ledger/archive/archive-register";
import { sealLedger } from "@/lib/ledger/audit/seal";
import { openTestCommands } from "@/testing/cli/commands";
import { dropMonth } from "@/testing/ledger/drop-month";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";

const commands = await opened(openTestCommands());
const url = commands.environment.DATABASE_URL;
const owner = await opened(connect(url));
let months: Month[];
let oldest: string;
let requestId: string;
const folder = () => join(commands.environment.RELAY_DATA_DIR ?? "", "media");
const filesNow = () =>
  readdirSync(folder())
    .filter((name) => !name.startsWith("."))
    .sort();
const name = (place: number) => months[place]?.name ?? "";
const archive = (...words: string[]) => commands.relay("archive", ...words, "--json");

beforeAll(async () => {
  await seedHistory(owner, url, { requests: 600, days: 190 });
  await nameOldest(url);
  months = await monthsToArchive(owner);
});

/** Gives the oldest request an id as answers have it, which says when it was made. */
async function nameOldest(url: string): Promise<void> {
  const { rows } = await owner.query<{ id: string; at: Date }>(
    "select id, created_at as at from request order by id limit 1",
  );
  oldest = rows[0]?.id ?? "";
  requestId = newId("request", rows[0]?.at.getTime());
  const client = await connect(url);
  await client.query("set session_replication_role = replica");
  await client.query("update request set request_id = $1 where id = $2", [requestId, oldest]);
  await client.end();
}

test("a word that is no month is wrong usage, for run and for verify", async () => {
  for (const verb of ["run", "verify"])
    for (const word of [
      "2026-13",
      "2026-00",
      "2026-8",
      "2026",
      "august",
      "2026-08-01",
      "1999-01",
    ]) {
      const { code, out, err } = await archive(verb, "--month", word);
      expect([word, code, out]).toEqual([word, 2, ""]);
      expect(err).toContain(`--month ${word} is not a month such as 2026-08`);
    }
});

test("a month that is not sealed, too young, or in the future is refused in one line, and nothing is written", async () => {
  const now = Date.now();
  for (const [month, reason] of [
    [name(0), "the audit has not sealed all of it"],
    [monthOf(now).name, "fewer than 3 full months have passed since"],
    [dayFromNow(400).slice(0, 7), "fewer than 3 full months have passed since"],
  ]) {
    const { code, out, err } = await archive("run", "--month", month ?? "");
    expect([code, out, err]).toEqual([1, "", `${month} cannot be archived: ${reason}\n`]);
  }
  expect(filesNow()).toEqual([]);
  await sealLedger(owner);
});

test("a month without requests is refused", async () => {
  const { code, err } = await archive("run", "--month", "2020-01");
  expect([code, err]).toEqual([1, "2020-01 cannot be archived: it has no requests\n"]);
});

test("run archives one month, then the others, then says that nothing is left; list says what there is", async () => {
  expect(await commands.json("archive list")).toEqual({ archives: [] });
  expect(await commands.json("archive run --month", name(0))).toEqual({
    archived: [name(0)],
  });
  expect(await commands.json("archive run")).toEqual({
    archived: months.slice(1).map((month) => month.name),
  });
  expect((await commands.relay("archive run")).out).toBe("No month was left to archive.\n");
  expect(await commands.json("archive run --month", name(0))).toEqual({ archived: [] });
  const { archives } = await commands.json("archive list");
  expect(archives.map(({ month }: { month: string }) => month)).toEqual(
    months.map((month) => month.name).reverse(),
  );
  for (const each of archives)
    expect(each).toEqual({
      month: expect.stringMatching(/^20\d\d-\d\d$/),
      state: "complete",
      files: 1,
      requests: expect.any(Number),
      bytes: expect.any(Number),
      points: expect.any(Number),
      made_at: expect.stringMatching(/Z$/),
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  const text = (await commands.relay("archive list")).out;
  expect(text.split("\n")[0]).toMatch(/^month +state +files +requests +bytes +points/);
});

test("show prints a request by its ledger id and by its request id, and refuses one that is in no file", async () => {
  for (const id of [oldest, requestId])
    expect(await commands.json("archive show --id", id)).toMatchObject({
      file: filesNow()[0],
      operation: { id: oldest, request_id: requestId },
      settlement: { operation_id: oldest },
    });
  const { rows } = await owner.query<{ id: string }>(
    "select id from request order by id desc limit 1",
  );
  for (const id of [rows[0]?.id ?? "", `${oldest.slice(0, 24)}000000000000`]) {
    const { code, out, err } = await archive("show", "--id", id);
    expect([code, out, err]).toEqual([1, "", `Request ${id} is in no archive.\n`]);
  }
  for (const id of ["req_nothing", newId("request"), "", "x"]) {
    const { code, out } = await archive("show", "--id", id);
    expect([id, code, out]).toEqual([id, id === "" ? 2 : 1, ""]);
  }
});

test("verify exits with 0 while all is well, and with 1 and the file's name for a damaged or missing file", async () => {
  const whole = await archive("verify");
  expect([whole.code, JSON.parse(whole.out).files.length]).toEqual([0, months.length]);
  const file = filesNow()[0] ?? "";
  const path = join(folder(), file);
  const bytes = readFileSync(path);
  const damaged = Buffer.from(bytes);
  damaged[bytes.length >> 1] = (damaged[bytes.length >> 1] ?? 0) ^ 4;
  const cases: [() => void, string][] = [
    [() => writeFileSync(path, damaged), "is not as it was written: its SHA-256 is another one"],
    [() => writeFileSync(path, bytes.subarray(0, 100)), "cannot be read"],
    [() => rmSync(path), "is missing"],
  ];
  for (const [spoil, fault] of cases) {
    spoil();
    const one = await archive("verify", "--month", name(0));
    expect([one.code, one.err]).toEqual([1, ""]);
    const report = JSON.parse(one.out);
    expect(report).toMatchObject({ ok: false, files: [{ month: name(0), number: 1 }] });
    expect(report.files[0].fault).toContain(`${file} ${fault}`);
    const text = await commands.relay("archive verify");
    expect(text.code).toBe(1);
    expect(text.out).toContain(`${file} ${fault}`);
    expect(text.out).toMatch(/Not everything is as it was written, or could be read\.\n$/);
    const shown = await archive("show", "--id", oldest);
    expect([shown.code, shown.out]).toEqual([1, ""]);
    expect(shown.err).toContain(file);
    expect((await archive("verify", "--month", name(1))).code).toBe(0);
  }
  writeFileSync(path, bytes);
  appendFileSync(path, "more");
  expect((await archive("verify")).code).toBe(0);
  const none = await archive("verify", "--month", monthOf(Date.now()).name);
  expect([none.code, none.err]).toEqual([1, `${monthOf(Date.now()).name} is not archived\n`]);
});

test("when a month is only in its files, its requests are still shown, and a full audit needs the files", async () => {
  await dropMonth(owner, months[0] as Month);
  const { archives } = await commands.json("archive list");
  expect(archives.at(-1)).toMatchObject({ month: name(0), state: "only in files" });
  for (const id of [oldest, requestId]) {
    expect(await commands.json("archive show --id", id)).toMatchObject({
      operation: { id: oldest },
    });
    expect(await commands.json("request show --id", id)).toMatchObject({
      request: { entry: { id: oldest, request: { request_id: requestId } } },
    });
  }
  expect((await archive("verify")).code).toBe(0);
  expect(await commands.json("archive run --month", name(0))).toEqual({ archived: [] });
  const audit = () => commands.relay("ledger audit --full --json");
  const whole = await audit();
  expect([whole.code, JSON.parse(whole.out).ok]).toEqual([0, true]);
  const path = join(folder(), filesNow()[0] ?? "");
  const bytes = readFileSync(path);
  rmSync(path);
  const missing = await audit();
  expect([missing.code, missing.out]).toEqual([1, expect.stringContaining("is missing")]);
  writeFileSync(path, bytes);
  for (const verb of ["archive", "request"]) {
    const { code, out } = await commands.relay(verb, "show", "--id", newId("request"), "--json");
    expect([code, out]).toEqual([1, ""]);
  }
});
