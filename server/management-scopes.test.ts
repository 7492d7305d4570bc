/** Who may call what with a management key, over HTTP against the process as it is composed. */
import { expect, test } from "vitest";
import { revokeManagementKey } from "@/lib/commands/management-keys";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import { managedSite } from "@/testing/composition/managed-site";
import { errorOf, newManager } from "@/testing/composition/managers";

const site = await managedSite();
const { ask, create } = site;

test("a management key never generates, at any address that is sold, and never opens the tools", async () => {
  const sold = Object.values(endpoints).filter(({ billing }) => billing === "generation");
  expect(sold.length).toBeGreaterThanOrEqual(8);
  for (const { path, method } of sold) {
    const answer = await ask(method, path, { model: "relay-v1" });
    const { message } = answer.json.error;
    expect([path, answer.status, message]).toEqual([
      path,
      403,
      `A management key can never generate. Call ${method} ${path} with an API key (sk-rly-…), not with a management key (sk-rly-mgmt-…).`,
    ]);
  }
  const tools = await ask("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
  expect([tools.status, tools.json.error.data.code]).toEqual([403, "key_kind_not_allowed"]);
  expect(
    await site.composed.database.$queryRaw`select count(*)::int as n from request_known`,
  ).toEqual([{ n: 0 }]);
});

test("scopes decide: points and usage, and no scope gives another", async () => {
  const reader = await newManager(site.composed, site.composed.accountId, [
    "usage:read",
    "points:read",
  ]);
  const read = (path: string) => ask("GET", path, undefined, { key: reader.secret });
  expect((await read("/v1/balance")).json).toMatchObject({ available_points: 30 });
  expect((await read("/v1/usage?group_by=key")).json).toMatchObject({ group_by: "key" });
  for (const path of ["/v1/keys", `/v1/keys/${site.composed.key.id}`])
    expect(errorOf(await read(path))).toEqual([403, "scope_missing", null]);
  const lister = await newManager(site.composed, site.composed.accountId, ["keys:read"]);
  const own = { key: lister.secret };
  expect((await ask("GET", "/v1/keys", undefined, own)).status).toBe(200);
  expect(errorOf(await create({}, own))[1]).toBe("scope_missing");
  expect(errorOf(await ask("DELETE", `/v1/keys/${site.composed.key.id}`, undefined, own))[1]).toBe(
    "scope_missing",
  );
  expect(errorOf(await ask("GET", "/v1/balance", undefined, own))[1]).toBe("scope_missing");
  await Promise.all(
    [reader, lister].map(({ id }) =>
      revokeManagementKey(site.composed, "test", {
        id,
        accountId: site.composed.accountId,
        keepsKeys: false,
      }),
    ),
  );
  expect(errorOf(await read("/v1/balance"))[1]).toBe("api_key_revoked");
});

test("no endpoint makes a management key or changes one", () => {
  const managing = Object.values(endpoints).filter(({ scope }: EndpointRow) => scope !== undefined);
  expect(managing.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    "DELETE /v1/invitations/{id}",
    "DELETE /v1/keys/{id}",
    "DELETE /v1/members/{id}",
    "GET /v1/balance",
    "GET /v1/invitations",
    "GET /v1/keys",
    "GET /v1/keys/{id}",
    "GET /v1/members",
    "GET /v1/members/{id}",
    "GET /v1/usage",
    "PATCH /v1/keys/{id}",
    "PATCH /v1/members/{id}",
    "POST /v1/invitations",
    "POST /v1/keys",
  ]);
});

test("an id of a management key is no key to read, change or revoke", async () => {
  for (const [method, body] of [["GET"], ["PATCH", { name: "mine" }], ["DELETE"]] as const)
    expect(errorOf(await ask(method, `/v1/keys/${site.manager.id}`, body))).toEqual([
      404,
      "not_found",
      null,
    ]);
  const own = { where: { id: site.manager.id } };
  expect(await site.composed.database.managementKey.findUnique(own)).toMatchObject({
    name: "deploy",
    revokedAt: null,
  });
});

test("an API key gets an error that names management keys, and an unknown key a plain 401", async () => {
  const { json, status } = await ask("GET", "/v1/keys", undefined, {
    key: site.composed.key.secret,
  });
  expect([status, json.error]).toEqual([
    403,
    {
      message:
        "GET /v1/keys takes a management key (sk-rly-mgmt-…), not an API key. Create one on the keys page.",
      type: "permission_error",
      param: null,
      code: "key_kind_not_allowed",
    },
  ]);
  const { secret } = site.manager;
  const wrong = `${secret.slice(0, -7)}${secret.at(-7) === "x" ? "y" : "x"}${secret.slice(-6)}`;
  expect(errorOf(await ask("GET", "/v1/keys", undefined, { key: wrong }))).toEqual([
    401,
    "invalid_api_key",
    null,
  ]);
});

test("an expired key and a suspended account are refused, and the last use is written", async () => {
  await ask("GET", "/v1/keys");
  const used = await site.composed.database.managementKey.findUniqueOrThrow({
    where: { id: site.manager.id },
  });
  expect(used.lastUsedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  const key = await newManager(site.composed, site.stranger.accountId, ["keys:read"]);
  const read = async () => errorOf(await ask("GET", "/v1/keys", undefined, { key: key.secret }))[1];
  const change = (data: object) =>
    site.composed.database.managementKey.update({ where: { id: key.id }, data });
  await change({ expiresAt: new Date(Date.now() - 1000) });
  expect(await read()).toBe("api_key_expired");
  await change({ expiresAt: null });
  const ofAccount = { where: { id: site.stranger.accountId } };
  await site.composed.database.account.update({ ...ofAccount, data: { status: "suspended" } });
  expect(await read()).toBe("account_suspended");
  await site.composed.database.account.update({ ...ofAccount, data: { status: "closed" } });
  expect(
    await site.composed.database.managementKey.findUnique({ where: { id: key.id } }),
  ).toMatchObject({ name: "erased", revokedAt: expect.any(Date) });
});

test("a management key may send 60 requests a minute", async () => {
  const key = await newManager(site.composed, site.composed.accountId, ["keys:read"]);
  const answers = await Promise.all(
    Array.from({ length: 62 }, () => ask("GET", "/v1/keys", undefined, { key: key.secret })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.json.error.code).toBe("key_rate_limited");
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
});
