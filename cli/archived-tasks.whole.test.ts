/** What the commands for tasks and usage say of a month whose requests are only in files. */
import { beforeAll, expect, test } from "vitest";
import { type Month, monthsToArchive } from "@/lib/ledger/archive/archive-register";
import { sealLedger } from "@/lib/ledger/audit/seal";
import { openTestCommands } from "@/testing/cli/commands";
import { dropMonth } from "@/testing/ledger/drop-month";
import { type MonthsResults, makeResults } from "@/testing/ledger/month-with-results";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";

const accountId = "acct_history_1";
const email = "old@example.com";
const commands = await opened(openTestCommands());
const url = commands.environment.DATABASE_URL;
const owner = await opened(connect(url));
let month: Month;
let made: MonthsResults;
let before: Awaited<ReturnType<typeof shown>>;

const shown = async () => ({
  tasks: (await commands.json("task list --account", email)).data,
  task: (await commands.json("task show --id", made.video.id)).task,
  usage: (await commands.json("usage --email", email)).usage,
});

beforeAll(async () => {
  await seedHistory(owner, url, { requests: 2500, days: 190, accounts: 2 });
  await owner.query(`insert into "user" (id, account_id, email) values ('user_old', $1, $2)`, [
    accountId,
    email,
  ]);
  [month] = (await monthsToArchive(owner)).slice(1) as [Month];
  made = await makeResults(owner, { month, accountId, userId: "user_old" });
  await sealLedger(owner);
  before = await shown();
  await commands.json("archive run --month", month.name);
  expect(await shown()).toEqual(before);
  await dropMonth(owner, month);
}, 180_000);

test("tasks of the month are listed and shown, without points, as archived", async () => {
  const { tasks, task } = await shown();
  expect(before.tasks).toHaveLength(2);
  expect(before.tasks).toMatchObject([{ is_archived: false }, { is_archived: false }]);
  const gone = { charged_points: null, held_points: null, deadline: null, is_archived: true };
  expect(tasks).toEqual(before.tasks.map((each: object) => ({ ...each, ...gone })));
  expect(task).toEqual({ ...before.task, points: null, held_points: null, archived: true });
});

test("the usage names the month where it leaves requests out, and only there", async () => {
  const { usage, archived } = await commands.json("usage --email", email);
  const isOfMonth = ({ created_at }: { created_at: string }) => created_at.startsWith(month.name);
  expect(before.usage.some(isOfMonth)).toBe(true);
  expect(usage).toEqual(before.usage.filter((each: { created_at: string }) => !isOfMonth(each)));
  expect(archived).toEqual([month.name]);
  const { out } = await commands.relay("usage --email", email);
  expect(out).toContain(`Not listed, because the requests are archived: ${month.name}.`);
  const next = new Date(Date.parse(month.day) + 40 * 86_400_000).toISOString();
  const later = await commands.json("usage --email", email, "--from", next);
  expect([later.archived, later.usage.length > 0]).toEqual([[], true]);
});

test("a refund of the month says that it is archived", async () => {
  for (const id of [made.video.id, made.image.id, made.video.operationId]) {
    const { code, err } = await commands.relay("ledger refund --operation", id, "--reason", "test");
    expect([code, err]).toEqual([
      1,
      "The requests of that month are archived, and their charges cannot be refunded. Add points to the account instead.\n",
    ]);
  }
});

test("an image of the month is removed from its account's list by the command too", async () => {
  const removed = await commands.json("task remove --id", made.image.id, "--account", accountId);
  expect(removed).toEqual({ removed: true });
  const { rows } = await owner.query(
    "select from image_result where id = $1 and hidden_at is not null",
    [made.image.id],
  );
  expect(rows).toHaveLength(1);
});
