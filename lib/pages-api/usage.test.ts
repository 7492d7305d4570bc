import { beforeEach, expect, test } from "vitest";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { newUserOf } from "@/testing/pages-api/new-user";
import { pagesHostOf } from "@/testing/pages-api/pages-host";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import { sessionOf, type UserSession } from "../accounts/session-store";
import { createApiKey } from "../commands/api-keys";
import { type Dialect, dialects } from "../contract/states";
import { newId, newOperationId } from "../crypto/ids";
import { noOutcome } from "../ledger/core/verbs";
import { parsePoints } from "../money/points";
import { priceOf } from "../pricing/price";
import { pageHandlers } from "./page-handlers";

let current: UserSession | null = null;
let people = 0;

const site = await opened(startSiteProcess());
const ledger = await opened(openTestLedger(site.databaseUrl));
const routes = pageHandlers(
  pagesHostOf({
    deps: () => site.deps,
    currentUser: async () => current,
  }),
);
beforeEach(async () => {
  const { userId } = await newUserOf(site.deps, `u${++people}@example.com`, "192.0.2.1");
  current = sessionOf(await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } }));
});

const range = () => ({ from: dayFromNow(-1), to: dayFromNow(1) });

async function write(name: keyof typeof routes, body: unknown) {
  const headers = { "content-type": "application/json", origin: "http://localhost:3000" };
  const response = await routes[name](
    new Request("http://localhost:3000/api/x", {
      method: "PATCH",
      headers,
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, json: await response.json() };
}

async function ask(name: keyof typeof routes, query: Record<string, string> = {}, id = "") {
  const response = await routes[name](
    new Request(`http://localhost:3000/api/x?${new URLSearchParams(query)}`),
    id,
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const json = async (...asked: Parameters<typeof ask>) => JSON.parse((await ask(...asked)).text);

const usage = { inputTokens: 1234, outputTokens: 567 };
const outcome = { ...noOutcome, durationMs: 5 };

/**
 * Makes a request with a real price that is settled, or released for `reason`. Returns its
 * operation id.
 */
async function makeRequest(
  keyName: string,
  reason?: string,
  dialect: Dialect | null = null,
): Promise<string> {
  const { accountId = "", userId = "" } = current ?? {};
  const { database, priceBook } = site.deps;
  const { key } = await createApiKey({ database, ledger }, userId, { name: keyName, accountId });
  const version = priceBook.current("RelayV1");
  if (!version) throw new Error("the model has a price");
  const operationId = newOperationId();
  const holdAmount = 1_000_000n;
  await ledger.openHold({
    operationId,
    accountId,
    apiKeyId: key.id,
    source: "api",
    requestId: newId("request"),
    family: "text",
    model: "RelayV1",
    priceVersionId: version.id,
    multiplierPpm: 850_000,
    quoteAmount: holdAmount,
    holdAmount,
    holdAmountMin: holdAmount,
    requestSha256: new Uint8Array(32),
    deadlineSeconds: 600,
    dialect,
  });
  if (reason === undefined) {
    const amount = priceOf(usage, version.price, 850_000);
    await ledger.settle({
      operationId,
      accountId,
      amount,
      usage: { ...usage, reported: { total: 1801 } },
      outcome,
    });
  } else await ledger.release({ operationId, accountId, reason, loss: null, outcome });
  return operationId;
}

test("a request's detail has everything needed to recompute its charge", async () => {
  const id = await makeRequest("one");
  const { entry, price, multiplier, key } = await json("showRequest", {}, id);
  const again = priceOf(
    { inputTokens: entry.request.inputTokens, outputTokens: entry.request.outputTokens },
    { input: parsePoints(price.input) ?? 0n, output: parsePoints(price.output) ?? 0n },
    Number(parsePoints(multiplier)),
  );
  expect(parsePoints(entry.request.settled)).toBe(again);
  expect(key.hint).toContain("…");
  expect((await json("showRequest", {}, entry.request.requestId)).entry.id).toBe(id);
  expect((await ask("showRequest", {}, newId("request"))).status).toBe(404);
  current = { ...(current as UserSession), accountId: "acct_other" };
  expect((await ask("showRequest", {}, entry.request.requestId)).status).toBe(404);
  expect((await ask("showRequest", {}, id)).status).toBe(404);
  expect((await ask("showRequest", {}, "nonsense")).status).toBe(404);
});

test("a video task's request is found by the task's id, by its own account only", async () => {
  const operationId = await makeRequest("video", "task_cancelled");
  const { accountId = "" } = current ?? {};
  const id = newId("task");
  const owner = await connect(site.databaseUrl);
  await owner.query(
    `insert into video_task (id, operation_id, account_id, model, model_named, spec, status, error_code, ended_at)
       values ($1, $2, $3, 'm', 'm', '{}', 'cancelled', 'task_cancelled', now())`,
    [id, operationId, accountId],
  );
  await owner.end();
  expect((await json("showRequest", {}, id)).entry.id).toBe(operationId);
  expect((await ask("showRequest", {}, newId("task"))).status).toBe(404);
  current = { ...(current as UserSession), accountId: "acct_other" };
  expect((await ask("showRequest", {}, id)).status).toBe(404);
});

test("the CSV has each row of the filter once and no formula that a spreadsheet would run", async () => {
  await makeRequest('=cmd|"/c calc"');
  await makeRequest("plain", "upstream_timeout");
  const all = await ask("downloadUsage", range());
  expect([
    all.status,
    all.headers.get("content-type"),
    all.headers.get("content-disposition"),
  ]).toEqual([
    200,
    "text/csv; charset=utf-8; header=present",
    expect.stringMatching(/^attachment; filename="relay-usage-.*\.csv"$/),
  ]);
  expect(all.text.split("\r\n")).toHaveLength(4);
  expect(all.text).toContain(`"'=cmd|""/c calc"""`);
  const released = (await ask("downloadUsage", { ...range(), status: "released" })).text.split(
    "\r\n",
  );
  expect(released[1]).toContain(
    ",plain,api,RelayV1,text,released,upstream_timeout,,,1.000000,1.000000,0.000000,",
  );
  const { requests } = await json("listUsage", { ...range(), status: "released" });
  expect(requests).toHaveLength(1);
  const { total } = await json("showUsageSummary", { ...range(), group: "key" });
  expect(total).toMatchObject({ requests: 2, settled: 1, released: 1, held: "0.000000" });
  const { series } = await json("showUsageChart", { ...range(), group: "key" });
  expect(series).toMatchObject([
    { name: '=cmd|"/c calc"', requests: 1, charged: total.charged, firstTokenMs: null },
    { name: "plain", requests: 1, charged: "0.000000", latencyMs: null },
  ]);
});

test("the list, the sums, the chart and the CSV are filtered by dialect, and the CSV names it", async () => {
  for (const dialect of [...dialects, null]) await makeRequest(`in ${dialect}`, undefined, dialect);
  for (const dialect of dialects) {
    const query = { ...range(), dialect };
    const request = { keyName: `in ${dialect}`, dialect };
    expect((await json("listUsage", query)).requests).toMatchObject([{ request }]);
    expect((await json("showUsageSummary", query)).total.requests).toBe(1);
    expect((await json("showUsageChart", query)).series).toMatchObject([{ requests: 1 }]);
    const lines = (await ask("downloadUsage", query)).text.trimEnd().split("\r\n");
    expect(lines).toEqual([
      expect.stringMatching(/,dialect,tags$/),
      expect.stringMatching(`,in ${dialect},.*,${dialect},$`),
    ]);
  }
  const all = (await ask("downloadUsage", range())).text.trimEnd().split("\r\n");
  expect(all).toHaveLength(dialects.length + 2);
  expect(all.find((line) => line.includes(",in null,"))).toMatch(/,5,,$/);
});

test("the statement's CSV has the balance after every line, up to the closing balance", async () => {
  await makeRequest("one");
  const sums = await json("showStatement", range());
  const lines = (await ask("downloadStatement", range())).text.trimEnd().split("\r\n");
  expect(lines[1]).toMatch(/,opening,.*,0\.000000$/);
  expect(lines.at(-1)?.endsWith(`,${sums.closing}`)).toBe(true);
  expect(lines.at(-2)?.endsWith(`,${sums.closing}`)).toBe(true);
  const balance = (await json("showMe")).balance;
  expect(sums.closing).toBe(balance.available);
  const { groups } = await json("showSpend", { group: "model", days: "30" });
  expect(groups).toMatchObject([{ id: "RelayV1", name: null, requests: 1, amount: sums.charges }]);
  expect(groups[0].outputTokens).toBeGreaterThan(0);
});

test.each([
  ["listUsage", { from: "2026-02-30", to: "2026-03-01" }, "from"],
  ["listUsage", { from: "2026-03-02", to: "2026-03-01" }, "from"],
  ["listUsage", { from: "2024-01-01", to: "2026-03-01" }, "from"],
  ["listUsage", { from: "2026-03-01", to: "2026-03-01", zone: "Mars/Olympus" }, "zone"],
  ["listUsage", { from: "2026-03-01", to: "2026-03-01", status: "lost" }, "status"],
  ["listUsage", { from: "2026-03-01", to: "2026-03-01", dialect: "chat" }, "dialect"],
  ["listUsage", { from: "2026-03-01", to: "2026-03-01", cursor: "x" }, "cursor"],
  ["downloadStatement", { from: "2026-03-02", to: "2026-03-01" }, "from"],
] as const)(
  "an invalid query is refused with the parameter's name: %s %j",
  async (name, query, param) => {
    const answer = await ask(name, query);
    expect([answer.status, JSON.parse(answer.text).error.param]).toEqual([400, param]);
  },
);

test("the chart is divided by two groupings, which differ", async () => {
  await makeRequest("one");
  const query = { ...range(), group: "family", thenBy: "key" };
  expect((await json("showUsageChart", query)).series).toMatchObject([
    { id: "text", second: { name: "one" }, requests: 1 },
  ]);
  expect((await ask("showUsageChart", { ...query, thenBy: "family" })).status).toBe(400);
  expect((await ask("showUsageChart", { ...query, thenBy: "tag" })).status).toBe(400);
});

test("usage needs a session", async () => {
  current = null;
  for (const name of [
    "listUsage",
    "showUsageSummary",
    "showUsageChart",
    "downloadUsage",
    "showRequest",
    "showSpend",
    "showStatement",
    "downloadStatement",
  ] as const)
    expect((await ask(name, range())).status, name).toBe(401);
});

test("a name and a low-balance notice are saved, and refused when invalid", async () => {
  expect(await write("changeProfile", { name: " Ada " })).toMatchObject({
    status: 200,
    json: { name: "Ada" },
  });
  expect(await write("changeAccount", { lowBalanceNotice: "12.5" })).toMatchObject({
    json: { lowBalanceNotice: "12.500000" },
  });
  expect((await json("showMe")).account.lowBalanceNotice).toBe("12.500000");
  for (const wrong of ["0", "-1", "1.2345678", 5, undefined]) {
    expect((await write("changeAccount", { lowBalanceNotice: wrong })).status).toBe(400);
  }
  expect(await write("changeAccount", { joinsRetries: false })).toMatchObject({
    json: { lowBalanceNotice: "12.500000", joinsRetries: false },
  });
  expect((await json("showMe")).account.joinsRetries).toBe(false);
  expect(await write("changeAccount", { contentDays: 3 })).toMatchObject({
    json: { joinsRetries: false, contentDays: 3 },
  });
  expect((await json("showMe")).account.contentDays).toBe(3);
  for (const wrong of [0, 31, 1.5, "3"])
    expect((await write("changeAccount", { contentDays: wrong })).status).toBe(400);
  expect((await write("changeAccount", { contentDays: null })).json.contentDays).toBeNull();
  for (const wrong of [{}, { joinsRetries: "no" }])
    expect((await write("changeAccount", wrong)).status).toBe(400);
  expect((await write("changeProfile", { name: "", email: "x@example.com" })).status).toBe(400);
  for (const sign of ["\n", "\u0007", "\u0085", "\u2028", "\u202e", "\u2066"])
    expect((await write("changeProfile", { name: `a${sign}b` })).status, sign).toBe(400);
  expect(await write("changeAccount", { lowBalanceNotice: null })).toMatchObject({
    json: { lowBalanceNotice: null },
  });
});

test("each listed key has its spend of the last days, today last", async () => {
  await makeRequest("spender");
  const { keys } = await json("listKeys");
  expect(keys[0].spentByDay).toHaveLength(14);
  expect(keys[0].spentByDay.at(-1)).toBe(keys[0].spent);
});
