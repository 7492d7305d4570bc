/** Archives in a bucket, whose store may be slow or fail. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Month, monthsToArchive } from "@/lib/ledger/archive/archive-register";
import { sealLedger } from "@/lib/ledger/audit/seal";
import { openTestCommands } from "@/testing/cli/commands";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { startS3Server } from "@/testing/media/s3-server";
import { opened } from "@/testing/unit/opened";

const commands = await opened(openTestCommands());
const bucket = await opened(startS3Server());
let months: Month[];
let operation: string;
const name = (place: number) => months[place]?.name ?? "";

beforeAll(async () => {
  const { endpoint, region, accessKeyId, secretAccessKey } = bucket.settings;
  Object.assign(commands.environment, {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket.settings.bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  const url = commands.environment.DATABASE_URL;
  const owner = await connect(url);
  await seedHistory(owner, url, { requests: 600, days: 160 });
  await sealLedger(owner);
  months = await monthsToArchive(owner);
  const { rows } = await owner.query("select id from request order by id limit 1");
  operation = String(rows[0]?.id);
  await owner.end();
});
beforeEach(() => bucket.repair());

const archive = (...words: string[]) => commands.relay("archive", ...words, "--json");
const archivedNow = async () => (await commands.json("archive list")).archives.length;
/** Nothing of an archive is left on this machine. */
const filesHere = () => readdirSync(join(commands.environment.RELAY_DATA_DIR ?? "", "media"));
const unread = /^\d{4}-\d\d is not archived: archive_\w+\.gz cannot be read: .+\n$/;

test("a store that refuses, or breaks off while a file is read back, leaves the month as it was", async () => {
  bucket.behaviour.answerBefore = (_, method) => (method === "PUT" ? 503 : null);
  expect(await archive("run", "--month", name(0))).toEqual({
    code: 1,
    out: "",
    err: "the media store answered 503 to PUT\n",
  });
  bucket.repair();
  bucket.behaviour.answerBefore = (_, method) => (method === "GET" ? 500 : null);
  expect(await archive("run", "--month", name(0))).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(unread),
  });
  for (const breakAfter of [0, 1000]) {
    bucket.repair();
    bucket.behaviour.breakAfter = breakAfter;
    expect(await archive("run", "--month", name(0))).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(unread),
    });
  }
  expect([await archivedNow(), filesHere()]).toEqual([0, []]);
});

test("the next run completes the month, with one object in the bucket and nothing on this machine", async () => {
  expect(await commands.json("archive run --month", name(0))).toEqual({
    archived: [name(0)],
  });
  expect([...bucket.objects.keys()]).toEqual([
    expect.stringMatching(`^/results/archive_${name(0).replace("-", "_")}_0001_[0-9a-f]{16}\\.gz$`),
  ]);
  expect(filesHere()).toEqual([]);
  expect((await archive("verify")).code).toBe(0);
  expect(await commands.json("archive show --id", operation)).toMatchObject({
    operation: { id: operation },
  });
});

test("a slow store only takes longer", async () => {
  const pieceMs = 1500;
  bucket.behaviour.pieceMs = pieceMs;
  const started = performance.now();
  expect(await commands.json("archive run --month", name(1))).toEqual({
    archived: [name(1)],
  });
  expect(performance.now() - started).toBeGreaterThan(2 * pieceMs);
  expect((await archive("verify", "--month", name(1))).code).toBe(0);
});

test("verify says of a store that fails that the file could not be read, and checks the other files", async () => {
  const first = [...bucket.objects.keys()][0] ?? "";
  bucket.behaviour.answerBefore = () => (bucket.seen.at(-1)?.includes(first) ? 503 : null);
  const { code, out } = await archive("verify");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    files: [
      { month: name(1), fault: null },
      { month: name(0), fault: expect.stringMatching(/cannot be read: .*503/) },
    ],
  });
  expect(await archive("show", "--id", operation)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/cannot be read: .*503/),
  });
});

test("an object that was removed or replaced in the bucket is found", async () => {
  const [first, second] = [...bucket.objects.keys()] as [string, string];
  const whole = bucket.objects.get(first) ?? Buffer.alloc(0);
  for (const [change, fault] of [
    [() => bucket.objects.delete(first), "is missing"],
    [() => bucket.objects.set(first, bucket.objects.get(second) ?? Buffer.alloc(0)), "gz"],
    [() => bucket.objects.set(first, whole.subarray(0, -1)), "gz"],
  ] as const) {
    change();
    const { code, out } = await archive("verify", "--month", name(0));
    expect([code, JSON.parse(out).files[0].fault]).toEqual([1, expect.stringContaining(fault)]);
  }
  bucket.objects.set(first, whole);
  expect((await archive("verify")).code).toBe(0);
});
