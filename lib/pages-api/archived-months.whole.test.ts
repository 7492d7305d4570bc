/** What the pages show of videos, images and entries of a month whose requests are only in files. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dropMonth } from "@/testing/ledger/drop-month";
import { type MonthsResults, makeResults } from "@/testing/ledger/month-with-results";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { OwnPages, type PageRoute } from "@/testing/pages-api/own-pages";
import { newFolder } from "@/testing/unit/new-folder";
import { archiveMonth } from "../archive/archive-month";
import { openArchivedRequests } from "../archive/archived-requests";
import { type Month, monthsToArchive } from "../ledger/archive/archive-register";
import { auditSealed } from "../ledger/audit/audit-sealed";
import { sealLedger } from "../ledger/audit/seal";
import { openFolderStore } from "../media/folder-store";
import { createTaskTable } from "../relay/order/task-table";
import { pause } from "../timing/pause";
import type { PageHandlers } from "./page-handlers";

const accountId = "acct_history_1";
const folder = newFolder("archived-months");
let pages: OwnPages;
let routes: PageHandlers;
let owner: pg.Client;
let month: Month;
let made: MonthsResults;
let fileReads = 0;
/** As the pages showed it while the rows were there. */
let before: Awaited<ReturnType<typeof everything>>;

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly entry: { readonly at: string } | null;
}

const ask = (name: PageRoute, parts: { id?: string; query?: string; method?: string } = {}) =>
  pages.ask(name, parts, routes);

/** Waits out the rest after a file was read. */
async function askPatiently(name: PageRoute, id: string) {
  for (;;) {
    const json = await ask(name, { id });
    if (json.error?.code !== "service_busy") return json;
    await pause(100);
  }
}

async function everyPage(name: PageRoute, query: string) {
  const answers = [];
  for (let cursor = ""; ; ) {
    const answer = await ask(name, { query: `?${query}${cursor && `&cursor=${cursor}`}` });
    answers.push(answer);
    if (answer.nextCursor === null) return answers;
    cursor = answer.nextCursor;
  }
}

async function everything() {
  return {
    tasks: (await ask("listTasks")).tasks as Listed[],
    operatorTasks: (await ask("listAllTasks")).tasks,
    entries: (await everyPage("listEntries", "kind=all")).flatMap(({ entries }) => entries),
  };
}

beforeAll(async () => {
  pages = await OwnPages.open();
  await pages.signInNew();
  owner = await connect(pages.site.databaseUrl);
  await seedHistory(owner, pages.site.databaseUrl, { requests: 4000, days: 190, accounts: 3 });
  [month] = (await monthsToArchive(owner)).slice(1) as [Month];
  const { user } = pages;
  if (user === null) throw new Error("nobody is signed in");
  pages.user = { ...user, accountId, isOperator: true };
  made = await makeResults(owner, { month, accountId, userId: user.userId });
  await sealLedger(owner);
  const blobs = await openFolderStore(folder);
  const archive = openArchivedRequests(pages.site.deps.pool, blobs);
  const counting = {
    find: (...asked: Parameters<typeof archive.find>) => {
      fileReads++;
      return archive.find(...asked);
    },
  };
  routes = pages.routesOver(() => ({ ...pages.site.deps, archive: counting }));
  before = await everything();
  await archiveMonth(owner, blobs, month);
  expect(await everything()).toEqual(before);
  await dropMonth(owner, month);
}, 180_000);
afterAll(async () => {
  await owner?.end();
  await pages?.close();
});

test("every video and image of the month is still listed, with the state that it had, and without its charge", async () => {
  const ids = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id).sort();
  expect(ids(before.tasks)).toEqual(ids(Object.values(made)));
  const { tasks } = await everything();
  expect(tasks).toEqual(
    before.tasks.map((task) => ({
      ...task,
      entry: null,
      // Why an image failed is only in its request.
      errorCode: task.id === made.failedImage.id ? null : task.errorCode,
    })),
  );
  const states = tasks.map(({ status }) => status).sort();
  expect(states).toEqual(["failed", "failed", "succeeded", "succeeded", "succeeded"]);
});

test("the filters by state and kind find them as before", async () => {
  const { video, failedVideo, image, failedImage, played } = made;
  const idsOf = async (query: string) =>
    ((await ask("listTasks", { query })).tasks as Listed[]).map(({ id }) => id).sort();
  const sorted = (...results: { id: string }[]) => results.map(({ id }) => id).sort();
  expect(await idsOf("?state=succeeded")).toEqual(sorted(video, image, played));
  expect(await idsOf("?state=failed")).toEqual(sorted(failedVideo, failedImage));
  expect(await idsOf("?state=open")).toEqual([]);
  expect(await idsOf("?family=image&state=failed")).toEqual(sorted(failedImage));
  expect(await idsOf(`?ids=${video.id},${image.id}`)).toEqual(sorted(video, image));
});

test("by key videos and what was ordered in the playground are found, and the months of other images are named", async () => {
  const { rows } = await owner.query<{ key: string }>(
    "select api_key_id as key from video_task where id = $1",
    [made.video.id],
  );
  const key = rows[0]?.key ?? "";
  const list = async (query: string) => {
    const { tasks, archived } = await ask("listTasks", { query });
    return [(tasks as Listed[]).map(({ id }) => id).sort(), archived];
  };
  const videos = [made.video.id, made.failedVideo.id].sort();
  expect(await list(`?key=${key}`)).toEqual([videos, [month.name]]);
  expect(await list(`?key=${key}&family=video`)).toEqual([videos, []]);
  expect(await list("?key=none")).toEqual([[made.played.id], [month.name]]);
  expect((await ask("listTasks")).archived).toEqual([]);
});

test("the page of each shows the order and its times without reading a file, by its own id and its request's", async () => {
  fileReads = 0;
  for (const result of Object.values(made)) {
    for (const id of [result.id, result.operationId]) {
      const { task, times } = await ask("showTask", { id });
      expect(task).toMatchObject({
        id: result.id,
        operationId: result.operationId,
        entry: null,
        settings: { prompt: null },
      });
      expect(times.queued).toBe(task.at);
      if (task.family === "video") expect(times.ended).not.toBeNull();
    }
  }
  expect(fileReads).toBe(0);
  const { task } = await askPatiently("showTask", made.video.requestId);
  expect([task.id, fileReads > 0]).toEqual([made.video.id, true]);
});

test("the charge of each is on its request's page, which reads the file", async () => {
  for (const [place, task] of before.tasks.entries()) {
    const { operationId } = Object.values(made).find(({ id }) => id === task.id) ?? made.video;
    const { entry } = await askPatiently("showRequest", operationId);
    expect({ ...entry, at: task.entry?.at }).toEqual(before.tasks[place]?.entry);
  }
});

test("a program that knows a video's task still gets it", async () => {
  const table = createTaskTable(pages.site.deps.pool, "test");
  const found = await table.find(accountId, made.video.id);
  expect(found).toMatchObject({ operationId: made.video.operationId, status: "succeeded" });
  expect(await table.find("acct_history_2", made.video.id)).toBeUndefined();
});

test("another account sees none of it", async () => {
  const own = pages.user;
  if (own === null) throw new Error("nobody is signed in");
  pages.user = { ...own, accountId: "acct_history_2" };
  const { tasks, archived } = await ask("listTasks", { query: "?key=none" });
  expect([tasks, archived]).toEqual([[], []]);
  for (const { id, operationId, requestId } of Object.values(made))
    for (const each of [id, operationId, requestId])
      expect((await askPatiently("showTask", each)).error.code).toBe("task_not_found");
  pages.user = own;
});

test("operators see the videos without points, and that their requests are archived", async () => {
  const { operatorTasks } = await everything();
  expect(before.operatorTasks.length).toBe(2);
  expect(operatorTasks).toEqual(
    before.operatorTasks.map((task: object) => ({
      ...task,
      charged: null,
      held: null,
      deadline: null,
      isArchived: true,
    })),
  );
});

test("operators find the account of an archived request, and cannot refund it", async () => {
  for (const { id, operationId, requestId } of [made.video, made.image])
    for (const q of [id, operationId, requestId]) {
      const found = async () => (await ask("listAccounts", { query: `?q=${q}` })).accounts?.[0]?.id;
      await expect.poll(found, { timeout: 20_000 }).toBe(accountId);
    }
  const refund = (id: string) =>
    pages.ask(
      "refundCharge",
      { id, body: { points: null, reason: "test", ref: "archived" } },
      routes,
    );
  for (const id of [made.video.id, made.video.operationId, made.video.requestId])
    expect((await refund(id)).error).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("archived"),
    });
  const never = made.video.operationId.replace(/^0/, "1");
  expect((await refund(never)).error.message).not.toContain("archived");
  const { isArchived } = await askPatiently("showLoggedRequest", made.video.id);
  expect(isArchived).toBe(true);
});

test("the list of entries has every other line, and the page on which the requests would be names the month", async () => {
  const kept = before.entries.filter(
    ({ at, kind }) => kind !== "request" || !at.startsWith(month.name),
  );
  expect(kept.length).toBeLessThan(before.entries.length - 50);
  const answers = await everyPage("listEntries", "kind=all");
  expect(answers.flatMap(({ entries }) => entries)).toEqual(kept);
  const named = answers.filter(({ archived }) => archived.length > 0);
  expect(named.map(({ archived }) => archived)).toEqual([[month.name]]);
  const days = named[0].entries.map(({ at }: { at: string }) => at.slice(0, 7));
  expect(days[0] > month.name && days.at(-1) < month.name).toBe(true);
  const credits = await ask("listEntries", { query: "?kind=credits" });
  expect(credits.archived).toEqual([]);
});

test("an ended image of the month can be removed from the list, and another account's cannot", async () => {
  const own = pages.user;
  if (own === null) throw new Error("nobody is signed in");
  const remove = (id: string) => ask("removeTask", { id, method: "DELETE" });
  pages.user = { ...own, accountId: "acct_history_2" };
  expect((await remove(made.image.id)).error.code).toBe("task_not_found");
  pages.user = own;
  expect(await remove(made.image.id)).toEqual({ removed: true });
  expect(await remove(made.video.id)).toEqual({ removed: true });
  const { tasks } = await everything();
  expect(tasks.map(({ id }) => id)).not.toContain(made.image.id);
  expect(tasks.length).toBe(3);
});

test("the audit still holds", async () => {
  const { checks } = await auditSealed(owner);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});

test("an account without requests in the month does not see it named, and one with no others does", async () => {
  const own = pages.user;
  if (own === null) throw new Error("nobody is signed in");
  pages.user = { ...own, accountId: own.ownAccountId };
  expect((await ask("listEntries", { query: "?kind=requests" })).archived).toEqual([]);
  await owner.query(
    `insert into usage_hour select (jsonb_populate_record(h, jsonb_build_object('account_id', $1::text))).* from usage_hour h
      where h.account_id = $2 and h.hour >= $3::date + interval '2 days' order by h.hour limit 1`,
    [own.ownAccountId, accountId, month.day],
  );
  const { entries, archived } = await ask("listEntries", { query: "?kind=requests" });
  expect([entries, archived]).toEqual([[], [month.name]]);
  pages.user = own;
});
