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

test("a header in UTF-8, in Latin-1 and percent-encoded names the same tag as metadata does", async () => {
  const before = (await rowsOf()).length;
  const sent = [
    Buffer.from("équipe=研发").toString("latin1"),
    "%C3%A9quipe=%E7%A0%94%E5%8F%91",
    "\u00e9quipe=caf\u00e9",
  ];
  for (const tags of sent) expect((await chat({}, tags)).status).toBe(200);
  expect((await chat({ metadata: { équipe: "研发" } })).status).toBe(200);
  const team = { équipe: "研发" };
  expect((await rowsOf()).slice(before)).toEqual([team, team, { équipe: "café" }, team]);
});

/** Fills the account's tags of this month: `count` names, or that many values of one. */
async function fill(count: number, of: string | null, sender: string, person: string) {
  const owner = await connect(relay.seeded.url);
  const given = [relay.accountId, `${of ?? "n"}-${sender}-`, count, of, sender, person];
  const month = "date_trunc('month', now() at time zone 'UTC')";
  await owner.query(
    of === null
      ? `insert into tag_name (account_id, month, name, sender, person) select $1, ${month}, $2 || i, $5, $6 from generate_series(1, $3::int) i where $4::text is null`
      : `with a as (insert into tag_value (account_id, month, name, value, sender, person) select $1, ${month}, $4, $2 || i, $5, $6 from generate_series(1, $3::int) i returning name)
         update tag_name t set value_count = value_count + $3::int where account_id = $1 and name = $4`,
    given,
  );
  await owner.end();
}

/** Goes on with another key, made by a person. */
async function use(key: string, maker: string): Promise<void> {
  await relay.pool.query(
    "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'made', sha256($3), 'hint', $4) on conflict do nothing",
    [key, relay.accountId, Buffer.from(key), maker],
  );
  relay.setting.principal = { ...relay.setting.principal, apiKeyId: key, rateSubject: key };
}
const statusOf = async (tags: string) => (await chat({}, tags)).status;

test("a key adds at most a thousand values of a tag a month; known ones go on, and other keys and members add theirs", async () => {
  await use("key_first", "user_owner");
  await fill(999, "job", "key_first", "user_owner");
  expect(await statusOf("job=last")).toBe(200);
  const { status, json } = await chat({}, "job=new");
  expect([status, json.error?.code, json.error?.message]).toEqual([
    400,
    "invalid_value",
    expect.stringContaining('"job"'),
  ]);
  expect(await statusOf("job=7")).toBe(200);
  await use("key_limited", "user_owner");
  expect(await statusOf("job=of-limited")).toBe(200);
  await fill(1000, "job", "key_other", "user_owner");
  expect(await statusOf("job=of-third")).toBe(400);
  await use("key_member", "user_member");
  expect(await statusOf("job=of-member")).toBe(200);
  expect(await statusOf("job=of-limited")).toBe(200);
  await fill(2000, "job", "key_more", "user_more");
  expect(await statusOf("job=too-many")).toBe(400);
});

test("a key adds at most a hundred names of tags a month, also at once; other keys and members add theirs", async () => {
  const counted = async () => (await listTags(relay, { accountId: relay.accountId })).tags.length;
  await use("key_first", "user_owner");
  await fill(98, null, "key_first", "user_owner");
  const before = await counted();
  const racing = await Promise.all(Array.from({ length: 12 }, (_, n) => statusOf(`late${n}=1`)));
  expect(racing.filter((each) => each === 200)).toHaveLength(2);
  expect(await counted()).toBe(before + 2);
  await use("key_limited", "user_owner");
  expect(await statusOf("limited=1")).toBe(200);
  await fill(99, null, "key_other", "user_owner");
  expect(await statusOf("third=1")).toBe(400);
  await use("key_member", "user_member");
  expect(await statusOf("member=1")).toBe(200);
  await fill(400 - (await counted()), null, "key_more", "user_more");
  expect(await statusOf("too-many=1")).toBe(400);
  const { tags } = await listTags(relay, { accountId: relay.accountId });
  // The more names there are, the fewer values of each are shown.
  expect([tags.length, tags.find(({ name }) => name === "job")?.values.length]).toEqual([400, 50]);
});
