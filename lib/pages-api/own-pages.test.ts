import { beforeEach, expect, test } from "vitest";
import { OwnPages } from "@/testing/pages-api/own-pages";
import { opened } from "@/testing/unit/opened";
import { createVouchers } from "../commands/vouchers";

const pages = await opened(OwnPages.open());
beforeEach(() => pages.signInNew());

test("a new user sees the welcome points, creates a key whose secret is in one answer only, and finds it with hint and limits", async () => {
  expect((await pages.call("showMe")).json).toMatchObject({
    user: { email: pages.user?.email, isOperator: false, hasPassword: true },
    account: { multiplier: "1", modelMultipliers: [] },
    balance: { available: "1000.000000", held: "0.000000", openHolds: 0 },
    statement: { toppedUp: "1000.000000", charged: "0.000000" },
  });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const made = await pages.newKey({
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
    await pages.call("listKeys"),
    await pages.call("showMe"),
    await pages.call("listEntries"),
    await pages.call("changeKey", { id: key.id, body: { name: "x" } }),
  ];
  expect(others[0]?.json.keys).toEqual([key]);
  for (const { text } of others) expect(text).not.toContain(secret.slice(12, -4));
  expect(JSON.stringify(await pages.site.dump())).not.toContain(secret.slice(12, -4));
});

test("a key's limits can be changed and removed, and a revoked key is refused as such", async () => {
  const { key } = await pages.newKey({ budget: "5", models: ["RelayV1"] });
  const change = { id: key.id, method: "PATCH" };
  const changed = await pages.call("changeKey", {
    ...change,
    body: { name: "b", budget: null, models: [], requestsPerMinute: 100 },
  });
  expect(changed.json.key).toMatchObject({
    name: "b",
    budget: null,
    models: [],
    requestsPerMinute: 100,
  });
  expect((await pages.call("changeKey", { ...change, body: {} })).json.key).toEqual(
    changed.json.key,
  );
  const revoked = await pages.call("revokeKey", { id: key.id });
  expect(revoked.json.key).toMatchObject({ status: "revoked", revokedAt: expect.any(String) });
  expect((await pages.call("revokeKey", { id: key.id })).json.key.revokedAt).toBe(
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
])("an invalid key is refused with the field's name: %j", async (body, param) => {
  const answer = await pages.call("createKey", { body });
  expect([answer.status, answer.json.error.param]).toEqual([400, param]);
});

test("another account's key gives the same 404 as a missing one", async () => {
  const { key } = await pages.newKey();
  await pages.signInNew();
  for (const name of ["changeKey", "revokeKey", "resumeKey"] as const) {
    const foreign = await pages.call(name, { id: key.id, body: { name: "taken" } });
    const random = await pages.call(name, {
      id: "key_00000000000000000000000000",
      body: { name: "taken" },
    });
    expect([foreign.status, foreign.text]).toEqual([404, random.text]);
  }
  expect((await pages.call("listKeys")).json.keys).toEqual([]);
  expect(
    await pages.site.deps.database.apiKey.findUniqueOrThrow({ where: { id: key.id } }),
  ).toMatchObject({ name: "test", revokedAt: null });
});

test("no answer contains a password", async () => {
  const answer = await pages.call("signUp", {
    body: { email: "a@example.com", password: "tooshort1" },
  });
  expect(answer.json.error).toMatchObject({
    param: "password",
    message: "The password must have 10 to 200 characters.",
  });
  expect(answer.text).not.toContain("tooshort1");
});

test("a changed password renews this session, and all sessions can be ended", async () => {
  const changed = await pages.call("changePassword", {
    body: { currentPassword: "correct horse battery", newPassword: "another horse battery" },
  });
  expect([changed.status, changed.headers.get("set-cookie")]).toEqual([
    200,
    "relay-session=renewed",
  ]);
  expect((await pages.call("signOutEverywhere")).json).toEqual({ ended: true });
  const user = await pages.site.deps.database.user.findUniqueOrThrow({
    where: { id: pages.user?.userId ?? "" },
  });
  expect(user.sessionVersion).toBe(3);
});

test("a voucher adds its points and appears in the history", async () => {
  const terms = { name: "t", points: 2_500_000n, count: 1, expiresAt: null };
  const [code] = (await createVouchers(pages.site.deps, "cli", terms)).codes;
  const answer = await pages.call("redeemVoucher", { body: { code } });
  expect(answer.json).toEqual({
    points: "2.500000",
    balance: { available: "1002.500000", held: "0.000000" },
  });
  const { entries, nextCursor } = (await pages.call("listEntries")).json;
  expect(
    entries.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount]),
  ).toEqual([
    ["voucher", "2.500000"],
    ["grant", "1000.000000"],
  ]);
  expect(nextCursor).toBeNull();
  expect((await pages.call("listEntries", { query: "?kind=requests" })).json.entries).toEqual([]);
  expect((await pages.call("listEntries", { query: "?kind=none" })).status).toBe(400);
});

test("the price list is public; with a session it also shows the account's own prices", async () => {
  await pages.site.deps.database.account.update({
    where: { id: pages.user?.accountId ?? "" },
    data: { multiplierPpm: 850_000 },
  });
  await pages.site.deps.database.accountModelMultiplier.create({
    data: {
      accountId: pages.user?.accountId ?? "",
      model: "Super-Relay",
      multiplierPpm: 1_250_000,
    },
  });
  const own = (await pages.call("showPrices")).json.prices;
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
  pages.user = null;
  expect((await pages.call("showPrices")).json.prices[0].own).toBeNull();
});

test("a member's views of the usage page are kept whole, by name, for that member alone", async () => {
  const failures = { name: "Failures", query: "status=released&days=30" };
  const byKey = { name: "By key", query: "group=key&and=model" };
  const keep = (...views: object[]) => pages.call("keepUsageViews", { body: { views } });
  const listed = async () => (await pages.call("listUsageViews")).json;
  expect((await keep(failures, byKey)).json).toEqual({ views: [failures, byKey] });
  expect(await listed()).toEqual({ views: [failures, byKey] });
  expect((await keep(failures, failures)).status).toBe(400);
  expect((await keep(byKey)).status).toBe(200);
  expect(await listed()).toEqual({ views: [byKey] });
  await pages.signInNew();
  expect(await listed()).toEqual({ views: [] });
});
