/** The tags of requests: by header and metadata, kept, filtered, grouped, bounded and refused by name. */
import { expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import { changeTagBudget } from "../commands/tag-budgets";
import { usageSummaryQuery } from "../contract/usage";
import { connectDatabase } from "../db/client";
import { countAll } from "../ledger/usage/usage-counter";
import { listTagBudgets, listTags } from "../queries/tags";
import { listUsage, showUsageChart, showUsageSummary, usageCsv } from "../queries/usage";

const sandbox = await opened(startQuickSandbox());
const relay = await opened(openTestRelay({ channels: [sandbox.channel], points: "100000" }));
const database = await opened(connectDatabase(relay.seeded.url), (database) =>
  database.$disconnect(),
);

const hello = { model: "relay-v1", max_tokens: 1000, messages: [{ role: "user", content: "hi" }] };
const post = (path: string, body: object, tags?: string) =>
  relay.send(path, {
    body: JSON.stringify(body),
    ...(tags !== undefined && { headers: { "x-relay-tags": tags } }),
  });
const chat = (body: object, tags?: string) =>
  post("/v1/chat/completions", { ...hello, ...body }, tags);
const rowsOf = async () =>
  (
    await relay.pool.query<{ tags: object | null }>(
      "select tags from request_known where account_id = $1 order by created_at, id",
      [relay.accountId],
    )
  ).rows.map(({ tags }) => tags);

const day = new Date().toISOString().slice(0, 10);
const range = { from: day, to: day, zone: "UTC" };
const summary = (query: object) =>
  showUsageSummary(relay, {
    accountId: relay.accountId,
    ...usageSummaryQuery.parse({ ...range, ...query }),
  });

const responses = { model: "relay-v1", input: "hi", store: false };
const video = { model: "super-relay", prompt: "a boat", resolution: "480p", duration: 5 };
const task = { model: "super-relay", content: [{ type: "text", text: "a boat --rs 480p" }] };
const image = { model: "super-relay-img", prompt: "a fox" };
const message = { ...hello, metadata: { user_id: "u-1" } };

test("every address of the relay keeps the header's tags; chat and responses those of their metadata too", async () => {
  const asked = [
    await chat({}, "team=a, job=7"),
    await chat({ metadata: { team: "a", job: "8", empty: "" } }),
    await chat({ metadata: { team: "b" } }, " job = 50%25%2C , team=c"),
    await chat({}),
    await post("/v1/responses", { ...responses, metadata: { team: "a" } }, "job=7"),
    await post("/v1/messages", message, "team=a"),
    await post("/v1/images/generations", image, "team=a"),
    await post("/v1/contents/generations/tasks", task, "team=a"),
    await post(
      "/v1/videos",
      { ...video, seconds: "5", resolution: undefined, duration: undefined },
      "team=a",
    ),
  ];
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
  expect(await rowsOf()).toEqual([
    { team: "a", job: "7" },
    { team: "a", job: "8" },
    { team: "c", job: "50%," },
    null,
    { team: "a", job: "7" },
    ...Array.from({ length: 4 }, () => ({ team: "a" })),
  ]);
});

test("tags that are not right are refused by name, and nothing is held", async () => {
  const before = await rowsOf();
  const many = Array.from({ length: 17 }, (_, n) => `t${n}=1`).join(",");
  const refused = [
    [await chat({}, "team"), "x-relay-tags"],
    [await chat({}, `${"n".repeat(65)}=1`), "x-relay-tags"],
    [await chat({}, `team=${"v".repeat(257)}`), "x-relay-tags"],
    [await chat({}, "team=a,team=b"), "x-relay-tags"],
    [await chat({}, "team=%zz"), "x-relay-tags"],
    [await chat({}, many), "x-relay-tags"],
    [await post("/v1/images/generations", image, "=a"), "x-relay-tags"],
    [await post("/v1/contents/generations/tasks", task, "=a"), "x-relay-tags"],
    [await chat({ metadata: "team" }), "metadata"],
    [await chat({ metadata: { team: 7 } }), "metadata.team"],
    [await chat({ metadata: { team: "a\u0007" } }), "metadata.team"],
    [await chat({ metadata: { team: "v".repeat(257) } }), "metadata.team"],
    [await post("/v1/responses", { ...responses, metadata: { a: "v".repeat(257) } }), "metadata.a"],
  ] as const;
  for (const [{ status, json }, param] of refused)
    expect([status, json.error?.code, json.error?.param]).toEqual([400, "invalid_value", param]);
  expect(await rowsOf()).toEqual(before);
});

test("usage is filtered and grouped by tags, before and after it was counted, and adds up", async () => {
  await relay.ends();
  const find = async () => {
    const by = async (query: object) =>
      (await summary({ group: "tag", ...query })).groups
        .map(({ id, requests }) => [id, requests])
        .toSorted();
    return {
      team: await by({ groupTag: "team" }),
      jobsOfA: await by({ groupTag: "job", tag: "team=a" }),
      jobsOfText: await by({ groupTag: "job", model: "RelayV1" }),
      without: (await summary({ tag: "team=" })).total.requests,
      exact: (await summary({ tag: "team=a, job=7" })).total.requests,
      total: (await summary({})).total.requests,
      members: (await summary({ group: "member", tag: "team=a" })).total.requests,
    };
  };
  const waiting = await find();
  await countAll(relay.pool);
  expect(await find()).toEqual(waiting);
  expect(waiting).toEqual({
    team: [
      ["", 1],
      ["a", 7],
      ["c", 1],
    ],
    jobsOfA: [
      ["", 4],
      ["7", 2],
      ["8", 1],
    ],
    jobsOfText: [
      ["", 2],
      ["50%,", 1],
      ["7", 2],
      ["8", 1],
    ],
    without: 1,
    exact: 2,
    total: 9,
    members: 7,
  });
  const query = { ...range, accountId: relay.accountId, tag: "team=a, job=7" };
  const { requests } = await listUsage(relay, query);
  expect(requests.map(({ request }) => request?.tags)).toEqual([
    [
      { name: "job", value: "7" },
      { name: "team", value: "a" },
    ],
    [
      { name: "job", value: "7" },
      { name: "team", value: "a" },
    ],
  ]);
  const { series } = await showUsageChart(relay, {
    ...range,
    accountId: relay.accountId,
    group: "tag",
    groupTag: "team",
    times: "yes",
  });
  expect(series.map(({ id, requests: count }) => [id, count]).toSorted()).toEqual(waiting.team);
  let csv = "";
  for await (const text of await usageCsv(relay, { ...query, tag: "team=c" })) csv += text;
  expect(csv.split("\r\n")[1]).toMatch(/,"job=50%25%2C, team=c"$/);
  expect(() => usageSummaryQuery.parse({ ...range, group: "tag" })).toThrow();
  expect(() => usageSummaryQuery.parse({ ...range, tag: "team" })).toThrow();
});

test("a tag's budget refuses its requests, and only those, and says which one", async () => {
  const budget = (amount: bigint | null) =>
    changeTagBudget({ database }, "user_owner", {
      accountId: relay.accountId,
      tag: { name: "team", value: "poor" },
      budgetDay: amount,
    });
  await budget(1_000n);
  const { status, json } = await chat({}, "team=poor");
  expect([status, json.error?.code, json.error?.tag, json.error?.remaining_points]).toEqual([
    403,
    "tag_budget_exhausted",
    "team=poor",
    0.001,
  ]);
  expect((await chat({}, "team=rich")).status).toBe(200);
  expect((await chat({})).status).toBe(200);
  const { accountId } = relay;
  expect((await listTagBudgets(relay, { accountId })).budgets).toMatchObject([
    { tag: "team=poor", period: "day", budget: "0.001000", left: "0.001000" },
  ]);
  await budget(null);
  expect((await chat({}, "team=poor")).status).toBe(200);
});

test("a tag has a thousand values a month and an account a hundred names; known ones go on", async () => {
  const { accountId } = relay;
  const owner = await connect(relay.seeded.url);
  await owner.query(
    "update tag_name set value_count = 1000 where account_id = $1 and name = 'job'",
    [accountId],
  );
  const { status, json } = await chat({}, "job=new");
  expect([status, json.error?.code, json.error?.message]).toEqual([
    400,
    "invalid_value",
    expect.stringContaining('"job"'),
  ]);
  expect((await chat({}, "job=7")).status).toBe(200);
  await owner.query(
    `insert into tag_name (account_id, month, name) select $1, date_trunc('month', now() at time zone 'UTC'), 'n' || i from generate_series(1, 96) i`,
    [accountId],
  );
  await owner.end();
  const counted = async () => (await listTags(relay, { accountId })).tags.length;
  const racing = await Promise.all(Array.from({ length: 12 }, (_, n) => chat({}, `late${n}=1`)));
  expect(racing.filter((each) => each.status === 200)).toHaveLength(100 - 98);
  expect(await counted()).toBe(100);
});
