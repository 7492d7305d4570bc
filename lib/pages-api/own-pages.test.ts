import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type SiteProcess, startSiteProcess } from "@/testing/pages-api/site-process";
import { sessionOf, type UserSession } from "../accounts/session-store";
import { signUp } from "../accounts/sign-up";
import { createVouchers } from "../commands/vouchers";
import { failures } from "../failures";
import { type PageHandlers, pageHandlers } from "./page-handlers";

let site: SiteProcess;
let current: UserSession | null = null;
let people = 0;
let problems: string[] = [];
type Routes = PageHandlers;
let routes: Routes;

beforeAll(async () => {
  site = await startSiteProcess();
  routes = pageHandlers({
    deps: () => site.deps,
    publicUrl: () => "http://localhost:3000",
    currentUser: async () => current,
    currentSessionId: async () => null,
    isOperator: (user) => user.isOperator,
    hasRecentProof: async () => true,
    admit: () => {},
    renewedCookie: async () => "relay-session=renewed",
    report: (_, __, error) => problems.push(String(error.cause ?? error.message)),
  });
});
afterAll(() => site.close());

async function signInNew(): Promise<UserSession> {
  const { userId } = await signUp(site.deps, {
    email: `p${++people}@example.com`,
    password: "correct horse battery",
    address: `192.0.2.${people}`,
  });
  return sessionOf(await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } }));
}
beforeEach(async () => {
  current = await signInNew();
  problems = [];
});

type Asked = {
  method?: string;
  body?: unknown;
  id?: string | undefined;
  query?: string;
  headers?: Record<string, string>;
};

async function ask(name: keyof Routes, { method, body, id, query = "", headers = {} }: Asked = {}) {
  const isGet = /^(show|list)/.test(name);
  const request = new Request(`http://localhost:3000/api/x${query}`, {
    method: method ?? (isGet ? "GET" : "POST"),
    headers: { "content-type": "application/json", origin: "http://localhost:3000", ...headers },
    body: isGet || body === undefined ? null : JSON.stringify(body),
  });
  const response = await routes[name](request, id);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}
const newKey = async (body: object = {}) =>
  (await ask("createKey", { body: { name: "test", ...body } })).json;

test("a new user sees the welcome points, makes a key that is shown in one answer only, and finds it with hint and limits", async () => {
  expect((await ask("showMe")).json).toMatchObject({
    user: { email: current?.email, isOperator: false, hasPassword: true },
    account: { multiplier: "1", modelMultipliers: [] },
    balance: { available: "1000.000000", held: "0.000000", openHolds: 0 },
    statement: { toppedUp: "1000.000000", charged: "0.000000" },
  });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const made = await newKey({
    requestsPerMinute: 7,
    budget: "12.5",
    models: ["relay-v1"],
    expiresAt,
  });
  const { key, secret } = made;
  expect(key).toMatchObject({
    name: "test",
    status: "active",
    requestsPerMinute: 7,
    budget: "12.500000",
    models: ["RelayV1"],
    expiresAt,
    lastUsedAt: null,
    spent: "0.000000",
  });
  const others = [
    await ask("listKeys"),
    await ask("showMe"),
    await ask("listEntries"),
    await ask("changeKey", { id: key.id, body: { name: "x" } }),
  ];
  expect(others[0]?.json.keys).toEqual([key]);
  for (const { text } of others) expect(text).not.toContain(secret.slice(12, -4));
  expect(JSON.stringify(await site.dump())).not.toContain(secret.slice(12, -4));
});

test("limits of a key can be changed and lifted, and a revoked key says so", async () => {
  const { key } = await newKey({ budget: "5", models: ["RelayV1"] });
  const change = { id: key.id, method: "PATCH" };
  const changed = await ask("changeKey", {
    ...change,
    body: { name: "b", budget: null, models: [], requestsPerMinute: 100 },
  });
  expect(changed.json.key).toMatchObject({
    name: "b",
    budget: null,
    models: [],
    requestsPerMinute: 100,
  });
  expect((await ask("changeKey", { ...change, body: {} })).json.key).toEqual(changed.json.key);
  const revoked = await ask("revokeKey", { id: key.id });
  expect(revoked.json.key).toMatchObject({ status: "revoked", revokedAt: expect.any(String) });
  expect((await ask("revokeKey", { id: key.id })).json.key.revokedAt).toBe(
    revoked.json.key.revokedAt,
  );
});

test.each<[object, string]>([
  [{ name: "" }, "name"],
  [{ name: "a", models: ["gpt-4"] }, "models"],
  [{ name: "a", expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
  [{ name: "a", requestsPerMinute: 0 }, "requestsPerMinute"],
  [{ name: "a", budget: "-1" }, "budget"],
  [{ name: "a", budget: 5 }, "budget"],
])("a key that cannot be right is refused and its field named: %j", async (body, param) => {
  const answer = await ask("createKey", { body });
  expect([answer.status, answer.json.error.param]).toEqual([400, param]);
});

test("another account's key is the same 404 as none", async () => {
  const { key } = await newKey();
  current = await signInNew();
  for (const name of ["changeKey", "revokeKey", "resumeKey"] as const) {
    const foreign = await ask(name, { id: key.id, body: { name: "taken" } });
    const random = await ask(name, {
      id: "key_00000000000000000000000000",
      body: { name: "taken" },
    });
    expect([foreign.status, foreign.text]).toEqual([404, random.text]);
  }
  expect((await ask("listKeys")).json.keys).toEqual([]);
  expect(
    await site.deps.database.apiKey.findUniqueOrThrow({ where: { id: key.id } }),
  ).toMatchObject({ name: "test", revokedAt: null });
});

test("no write takes a column it does not name: nobody becomes an operator or richer", async () => {
  const { key } = await newKey();
  const columns = (
    await site.deps.pool.query<{ name: string }>(
      "select distinct column_name as name from information_schema.columns where table_schema = 'public'",
    )
  ).rows;
  const camel = (name: string) =>
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const names = [...new Set(columns.flatMap(({ name }) => [name, camel(name)]))];
  const bodies: [keyof Routes, Record<string, unknown>, string | undefined][] = [
    ["signUp", { email: "operator@example.com", password: "correct horse battery" }, undefined],
    ["createKey", { name: "a" }, undefined],
    ["changeKey", { name: "a" }, key.id],
    ["redeemVoucher", { code: "RLY-0000" }, undefined],
    [
      "changePassword",
      { currentPassword: "correct horse battery", newPassword: "correct horse battery" },
      undefined,
    ],
  ];
  const allowed = [
    "email",
    "password",
    "name",
    "models",
    "requestsPerMinute",
    "expiresAt",
    "budget",
    "hourlySpendMax",
  ];
  for (const [route, body, id] of bodies) {
    for (const name of names.filter((column) => !allowed.includes(column) && !(column in body))) {
      const answer = await ask(route, { id, body: { ...body, [name]: true } });
      expect([route, name, answer.status, answer.json.error?.code]).toEqual([
        route,
        name,
        400,
        "unknown_parameter",
      ]);
    }
  }
  expect(await site.deps.database.user.count({ where: { isOperator: true } })).toBe(0);
  expect(await site.deps.database.user.count({ where: { email: "operator@example.com" } })).toBe(0);
});

test("without a session everything but sign-up and prices is refused", async () => {
  current = null;
  for (const name of [
    "showMe",
    "listKeys",
    "createKey",
    "changeKey",
    "revokeKey",
    "listEntries",
    "redeemVoucher",
    "changePassword",
    "signOutEverywhere",
  ] as const) {
    const answer = await ask(name, { body: { name: "a" }, id: "key_x" });
    expect([name, answer.status, answer.json.error.code]).toEqual([name, 401, "sign_in_required"]);
  }
  expect((await ask("showPrices")).status).toBe(200);
});

test.each<[string, Record<string, string>, number]>([
  ["another site", { origin: "https://evil.example" }, 403],
  ["no origin that may be told", { origin: "null" }, 403],
  ["a sibling site", { "sec-fetch-site": "same-site" }, 403],
  [
    "another site that the browser names",
    { "sec-fetch-site": "cross-site", origin: "http://localhost:3000" },
    403,
  ],
  ["our own pages", { "sec-fetch-site": "same-origin" }, 201],
])("a write from %s is answered as it should", async (_, headers, status) => {
  expect((await ask("createKey", { body: { name: "a" }, headers })).status).toBe(status);
});

test("bodies that are no JSON, of another type, too large or with a name twice are refused", async () => {
  const send = async (body: string, type = "application/json") => {
    const request = new Request("http://localhost:3000/api/keys", {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    return ((await (await routes.createKey(request)).json()) as { error: { code: string } }).error
      .code;
  };
  expect(await send("{")).toBe("invalid_json");
  expect(await send('{"name":"a","name":"b"}')).toBe("invalid_json");
  expect(await send("name=a", "application/x-www-form-urlencoded")).toBe("unsupported_media_type");
  expect(await send(JSON.stringify({ name: "a".repeat(70_000) }))).toBe("body_too_large");
});

test("a password is never repeated in an answer", async () => {
  const answer = await ask("signUp", { body: { email: "a@example.com", password: "tooshort1" } });
  expect(answer.json.error).toMatchObject({
    param: "password",
    message: "A password has 10 to 200 characters.",
  });
  expect(answer.text).not.toContain("tooshort1");
});

test("a changed password renews this session, and sessions can be ended everywhere", async () => {
  const changed = await ask("changePassword", {
    body: { currentPassword: "correct horse battery", newPassword: "another horse battery" },
  });
  expect([changed.status, changed.headers.get("set-cookie")]).toEqual([
    200,
    "relay-session=renewed",
  ]);
  expect((await ask("signOutEverywhere")).json).toEqual({ ended: true });
  const user = await site.deps.database.user.findUniqueOrThrow({
    where: { id: current?.userId ?? "" },
  });
  expect(user.sessionVersion).toBe(3);
});

test("a voucher adds its points and is in the history", async () => {
  const terms = { name: "t", points: 2_500_000n, count: 1, expiresAt: null };
  const [code] = (await createVouchers(site.deps, "cli", terms)).codes;
  const answer = await ask("redeemVoucher", { body: { code } });
  expect(answer.json).toEqual({
    points: "2.500000",
    balance: { available: "1002.500000", held: "0.000000" },
  });
  const { entries, nextCursor } = (await ask("listEntries")).json;
  expect(
    entries.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount]),
  ).toEqual([
    ["voucher", "2.500000"],
    ["grant", "1000.000000"],
  ]);
  expect(nextCursor).toBeNull();
  expect((await ask("listEntries", { query: "?kind=requests" })).json.entries).toEqual([]);
  expect((await ask("listEntries", { query: "?kind=none" })).status).toBe(400);
});

test("the price list is public; with a session it also shows the account's own prices", async () => {
  await site.deps.database.account.update({
    where: { id: current?.accountId ?? "" },
    data: { multiplierPpm: 850_000 },
  });
  await site.deps.database.accountModelMultiplier.create({
    data: { accountId: current?.accountId ?? "", model: "Super-Relay", multiplierPpm: 1_250_000 },
  });
  const own = (await ask("showPrices")).json.prices;
  expect(own).toHaveLength(8);
  expect(own[0]).toMatchObject({
    model: "RelayV1",
    input: "80.000000",
    output: "800.000000",
    own: { multiplier: "0.85", input: "68.000000", output: "680.000000" },
  });
  expect(own[1]).toMatchObject({
    model: "Super-Relay",
    input: null,
    own: { multiplier: "1.25", input: null, output: "1875.000000" },
  });
  current = null;
  expect((await ask("showPrices")).json.prices[0].own).toBeNull();
});

test("reading writes nothing", async () => {
  await newKey();
  const readOnly = await site.readOnly();
  const reading = pageHandlers({
    deps: () => readOnly,
    publicUrl: () => "http://localhost:3000",
    currentUser: async () => current,
    currentSessionId: async () => null,
    isOperator: (user) => user.isOperator,
    hasRecentProof: async () => true,
    admit: () => {},
    renewedCookie: async () => "",
    report: (_, __, error) => problems.push(String(error.cause ?? error.message)),
  });
  for (const name of ["showMe", "listKeys", "listEntries", "showPrices"] as const) {
    expect([
      name,
      (await reading[name](new Request("http://localhost:3000/api/x"))).status,
    ]).toEqual([name, 200]);
  }
  const write = new Request("http://localhost:3000/api/x", {
    method: "POST",
    body: '{"name":"a"}',
    headers: { "content-type": "application/json" },
  });
  expect((await reading.createKey(write)).status).toBe(500);
  expect(problems.join()).toMatch(/read-only/);
});

test.each([
  ["a database that cannot be reached", () => site.unreachable, 503, "database_unavailable"],
  ["a defect", () => null as never, 500, "internal_error"],
] as const)(
  "a failure inside is told to the operator, and the answer says nothing of it: %s",
  async (_, database, status, code) => {
    const broken = pageHandlers({
      deps: () => ({ ...site.deps, database: database() }),
      publicUrl: () => "http://localhost:3000",
      currentUser: async () => current,
      currentSessionId: async () => null,
      isOperator: (user) => user.isOperator,
      hasRecentProof: async () => true,
      admit: () => {},
      renewedCookie: async () => "",
      report: (_, __, error) => problems.push(String(error.cause)),
    });
    const response = await broken.listKeys(new Request("http://localhost:3000/api/keys"));
    expect(response.status).toBe(status);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    const { type } = failures[code];
    expect(await response.json()).toEqual({
      error: { message: failures[code].message, type, param: null, code },
    });
    expect(problems).toHaveLength(1);
  },
);
