import { expect, test } from "vitest";
import { pagesHostOf } from "@/testing/pages-api/pages-host";
import { orderImage, orderVideo, photo } from "@/testing/relay/orders";
import { openTestRelay } from "@/testing/relay/test-relay";
import { openWorker } from "@/testing/relay/video-client";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import type { UserSession } from "../accounts/session-store";
import type { EntryView } from "../contract/entries";
import { newId } from "../crypto/ids";
import { fixedSecrets } from "../crypto/secrets";
import { connectDatabase } from "../db/client";
import { parsePoints } from "../money/points";
import { priceOf } from "../pricing/price";
import { forgetSettings } from "../results/kept-settings";
import { readSettings } from "../settings/settings";
import { pageHandlers } from "./page-handlers";
import type { PagesDeps } from "./pages-deps";

const sandbox = await opened(startQuickSandbox());
const relay = await opened(
  openTestRelay({ channels: [sandbox.channel], points: "100000", keepsVideos: true }),
);
const database = await opened(connectDatabase(relay.seeded.url));
(await openWorker(relay.videoDeps({ results: relay.video.results }))).start();
await relay.pool.query("insert into account (id) values ('acct_other')");
const { pool, ledger } = relay;
const deps = {
  ...{ pool, ledger, database },
  secrets: fixedSecrets("s".repeat(32)),
  settings: { ...readSettings({}), publicUrl: "http://relay.test" },
};
const routes = pageHandlers(
  pagesHostOf({
    deps: () => deps as unknown as PagesDeps,
    publicUrl: () => "http://relay.test",
    currentUser: async () => ({ accountId, userId: "user_a", role: "owner" }) as UserSession,
    isOperator: () => false,
    hasRecentProof: async () => false,
    report: (_, __, error) => {
      throw error;
    },
  }),
);
let accountId = "acct_a";

type Name = "listTasks" | "showTask" | "removeTask" | "showTypicalTimes" | "showRequest";

async function ask(name: Name, query: Record<string, string> = {}, id = "") {
  const request = new Request(`http://relay.test/api/x?${new URLSearchParams(query)}`, {
    method: name === "removeTask" ? "DELETE" : "GET",
    headers: { origin: "http://relay.test" },
  });
  const response = await routes[name](request, id);
  return { status: response.status, json: await response.json() };
}

const makeVideo = (text: string, body?: object) => orderVideo(relay, text, body);
const makeImage = (prompt: string) => orderImage(relay, prompt);
const untilEnded = (id: string) =>
  expect
    .poll(async () => (await ask("showTask", {}, id)).json.task.status, { timeout: 60_000 })
    .not.toMatch(/queued|running/);
const rowsOf = async (id: string) =>
  JSON.stringify(
    (
      await relay.pool.query(
        "select to_jsonb(t) as row from video_task t where id = $1 union all select to_jsonb(i) from image_result i where id = $1",
        [id],
      )
    ).rows,
  );

test("a video and an image are listed with settings, link and charge, and each is found by its id", async () => {
  const video = await makeVideo("a heron at dawn");
  await untilEnded(video);
  const image = await makeImage("a fox in the snow");
  const { tasks, nextCursor } = (await ask("listTasks")).json;
  expect(nextCursor).toBeNull();
  expect(
    tasks.map(({ id, family, status }: Record<string, string>) => [id, family, status]),
  ).toEqual([
    [image, "image", "succeeded"],
    [video, "video", "succeeded"],
  ]);
  expect(tasks[0].settings).toMatchObject({
    prompt: "a fox in the snow",
    width: 2560,
    height: 1440,
    ratio: "16:9",
    seed: 9,
  });
  expect(tasks[0].settings.pictures).toEqual([
    { role: "reference_image", url: null },
    { role: "reference_image", url: photo },
  ]);
  expect(tasks[1].settings).toMatchObject({
    prompt: "a heron at dawn",
    resolution: "480p",
    seconds: 5,
    generateAudio: false,
  });
  expect(tasks[1].settings.pictures).toHaveLength(2);
  for (const { result, entry } of tasks) {
    const { pathname, search } = new URL(result.url);
    expect((await relay.fetch(pathname + search)).status).toBe(200);
    expect(entry.request).toMatchObject({ state: "settled", keyName: "a" });
  }
  expect(tasks.map(({ entry }: { entry: EntryView }) => entry.request?.made)).toEqual([
    {
      ...{ resolution: null, ratio: "16:9", seconds: null, generateAudio: false },
      ...{ width: 2560, height: 1440 },
    },
    expect.objectContaining({ resolution: "480p", seconds: 5, generateAudio: false, width: null }),
  ]);
  const detail = (await ask("showTask", {}, video)).json;
  expect(detail.task).toEqual(tasks[1]);
  const { queued, submitted, stored, ended } = detail.times;
  expect([queued, submitted, stored, ended].toSorted()).toEqual([queued, submitted, stored, ended]);
  expect((await ask("showTask", {}, tasks[1].entry.request.requestId)).json.task.id).toBe(video);
  const { stages } = (await ask("showRequest", {}, video)).json;
  expect(stages).toEqual({ submitted, running: detail.times.running, stored });
  const request = (await ask("showRequest", {}, image)).json;
  expect(request.stages).toMatchObject({ submitted: null, stored: expect.any(String) });
  const price = { input: 0n, output: parsePoints(request.price.output) ?? 0n };
  const again = priceOf(
    { inputTokens: 0, outputTokens: request.entry.request.outputTokens },
    price,
    1_000_000,
  );
  expect(parsePoints(request.entry.request.settled)).toBe(again);
  const { seconds } = (await ask("showTypicalTimes")).json;
  expect(Object.keys(seconds).toSorted()).toEqual(["Super-Relay-Image", "Super-Relay2.5"]);
});

test("a failed task is listed with its reason and no charge", async () => {
  const before = (await relay.balance()).available;
  const image = await makeImage("[[fail]] a fox");
  const video = await makeVideo("[[fail]] a heron");
  await untilEnded(video);
  const { tasks } = (await ask("listTasks", { state: "failed" })).json;
  expect(tasks).toMatchObject([
    {
      id: video,
      status: "failed",
      errorCode: "upstream_failed",
      result: null,
      entry: { request: { state: "released" } },
    },
    {
      id: image,
      status: "failed",
      errorCode: "upstream_failed",
      result: null,
      settings: { prompt: "[[fail]] a fox" },
    },
  ]);
  expect((await relay.balance()).available).toBe(before);
});

test("another account's task, a removed one and an unknown one get the same answer", async () => {
  const ids = [await makeVideo("a crane"), await makeImage("a crane")];
  await untilEnded(ids[0] as string);
  const unknown = [
    newId("task"),
    newId("request"),
    "nonsense",
    "00000000-0000-0000-0000-000000000000",
  ];
  accountId = "acct_other";
  const answers = [];
  for (const id of [...ids, ...unknown])
    answers.push(await ask("showTask", {}, id), await ask("removeTask", {}, id));
  expect((await ask("listTasks")).json.tasks).toEqual([]);
  expect((await ask("listTasks", { ids: ids.join() })).json.tasks).toEqual([]);
  accountId = "acct_a";
  for (const id of ids) {
    expect((await ask("removeTask", {}, id)).json).toEqual({ removed: true });
    answers.push(await ask("showTask", {}, id), await ask("removeTask", {}, id));
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 404, json: { error: { code: "task_not_found" } } });
});

test("removing a task deletes its prompt and images and keeps its charge", async () => {
  const before = await relay.balance();
  const id = await makeImage("a secret wish");
  const paid = await relay.balance();
  expect(paid.available).toBeLessThan(before.available);
  expect(await rowsOf(id)).toContain("a secret wish");
  await ask("removeTask", {}, id);
  expect(await rowsOf(id)).not.toMatch(/secret wish|pictures\.example/);
  expect(await relay.balance()).toEqual(paid);
  expect((await ask("showRequest", {}, id)).json.entry.request.state).toBe("settled");
  const video = await makeVideo("a secret film");
  await untilEnded(video);
  await relay.send(`/v1/contents/generations/tasks/${video}`, { method: "DELETE" });
  expect(await rowsOf(video)).not.toMatch(/secret film|pictures\.example/);
});

test("a running task cannot be removed", async () => {
  const id = await makeVideo("[[delay:2]] a slow river");
  expect(await ask("removeTask", {}, id)).toMatchObject({
    status: 409,
    json: { error: { code: "task_not_removable" } },
  });
  expect(await rowsOf(id)).toContain("slow river");
  const { tasks } = (await ask("listTasks", { state: "open" })).json;
  expect(tasks).toMatchObject([{ id, result: null, entry: { request: { state: "held" } } }]);
  await untilEnded(id);
});

test("prompts and images are deleted with the file, and never appear in logs or in tables about money", async () => {
  const [young, old] = [await makeImage("a young prompt"), await makeImage("an old prompt")];
  const video = await makeVideo("an old prompt too");
  await untilEnded(video);
  await relay.pool.query(
    "update image_result set created_at = created_at - interval '31 hours' where id = $1",
    [old],
  );
  await relay.pool.query(
    "update video_task set ended_at = ended_at - interval '31 hours' where id = $1",
    [video],
  );
  expect(await forgetSettings(relay.pool)).toBe(2);
  expect(await forgetSettings(relay.pool)).toBe(0);
  expect(await rowsOf(young)).toContain("a young prompt");
  for (const id of [old, video]) expect(await rowsOf(id)).not.toContain("old prompt");
  expect((await ask("showTask", {}, video)).json.task.settings).toMatchObject({
    prompt: null,
    pictures: [],
    resolution: "480p",
  });
  expect(relay.logged.join()).not.toContain("prompt");
  for (const table of ["request_known", "ledger_entry", "usage_day", "operator_loss"]) {
    const { rows } = await relay.pool.query(`select to_jsonb(t)::text as row from ${table} t`);
    expect(rows.map(({ row }) => row).join(), table).not.toMatch(
      /young prompt|a fox|pictures\.example/,
    );
  }
});

test("pages have no gaps and no duplicates, whatever the filter", async () => {
  const every = (await ask("listTasks", { limit: "100" })).json.tasks.map(
    ({ id }: { id: string }) => id,
  );
  expect(every.length).toBeGreaterThan(5);
  const walked: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { tasks: { id: string }[]; nextCursor: string | null } = (
      await ask("listTasks", { limit: "2", ...(cursor ? { cursor } : {}) })
    ).json;
    walked.push(...page.tasks.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(walked).toEqual(every);
  const count = async (query: Record<string, string>) =>
    (await ask("listTasks", { limit: "100", ...query })).json.tasks.length;
  expect((await count({ family: "video" })) + (await count({ family: "image" }))).toBe(
    every.length,
  );
  expect(await count({ model: "Super-Relay-Image" })).toBe(await count({ family: "image" }));
  expect(await count({ key: "key_a" })).toBe(every.length);
  for (const key of ["none", "key_b"]) expect(await count({ key })).toBe(0);
  expect(await count({ ids: `${every[3]},nonsense` })).toBe(1);
});

test.each([
  [{ state: "lost" }, "state"],
  [{ family: "text" }, "family"],
  [{ cursor: "x" }, "cursor"],
  [{ limit: "101" }, "limit"],
  [{ ids: Array.from({ length: 51 }, (_, at) => at).join() }, "ids"],
])("an invalid query is refused with the parameter's name: %j", async (query, param) => {
  const answer = await ask("listTasks", query as unknown as Record<string, string>);
  expect([answer.status, answer.json.error.param]).toEqual([400, param]);
});
