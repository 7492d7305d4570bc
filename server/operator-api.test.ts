/** `/v1/admin` over HTTP against the process as it is composed: what a program of an operator does. */
import { beforeEach, expect, test } from "vitest";
import { resumeAccount, setOperator, suspendAccount } from "@/lib/commands/accounts";
import { closeAccount } from "@/lib/commands/close-account";
import { createInvite } from "@/lib/commands/invites";
import { createOperatorKey, revokeOperatorKey } from "@/lib/commands/operator-keys";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { runInProcess } from "@/testing/cli/commands";
import { askAt, errorOf } from "@/testing/composition/managers";
import {
  askPage,
  newOperator,
  newOperatorKey,
  onlyOperatorKey,
} from "@/testing/composition/operators";
import { serveComposition } from "@/testing/composition/served-composition";
import { opened } from "@/testing/unit/opened";

let key: { id: string; secret: string };
const composed = await opened(serveComposition());
const operator = await newOperator(composed);
beforeEach(async () => {
  key = await onlyOperatorKey(composed, operator);
});

const ask = (method: string, path: string, body?: object, secret = key.secret) =>
  askAt(composed, secret, method, `/v1/admin/${path}`, body);
const credit = (body: object) => ask("POST", `accounts/${composed.accountId}/adjust`, body);
const actions = (where: object) =>
  composed.database.operatorAction.findMany({ where, orderBy: { seq: "asc" } });

test("20 credits at once with one reference are one entry, recorded once with the key", async () => {
  const before = await composed.tool.balance(composed.accountId);
  const body = { points: 12.5, reason: "Invoice 7", ref: "invoice-7" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => credit(body)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(({ json }) => json.entry_id)).size).toBe(1);
  expect(answers.filter(({ json }) => json.is_new)).toHaveLength(1);
  const after = await composed.tool.balance(composed.accountId);
  expect(after.available - before.available).toBe(12_500_000n);
  const recorded = await actions({ action: "account.credit" });
  expect(recorded.map(({ actor, subject }) => [actor, subject])).toEqual([
    [key.id, composed.accountId],
  ]);
  const others = [{ points: 12.6 }, { points: -12.5 }, { reason: "Another" }];
  for (const other of others)
    expect(errorOf(await credit({ ...body, ...other }))).toEqual([409, "already_exists", "ref"]);
  expect(await composed.tool.balance(composed.accountId)).toEqual(after);
});

test("refusals have the API's own form and name the field", async () => {
  const body = { points: 1, reason: "x", ref: "a" };
  for (const points of ["a lot", "1", 0.1234567])
    expect(errorOf(await credit({ ...body, points }))).toEqual([400, "invalid_value", "points"]);
  expect(errorOf(await credit({ ...body, ref: "two words" }))).toEqual([
    400,
    "invalid_value",
    "ref",
  ]);
  expect(errorOf(await credit({ ...body, more: 1 }))[1]).toBe("unknown_parameter");
  expect(errorOf(await credit({ ...body, reason: "a\0b" }))).toEqual([
    400,
    "invalid_value",
    "reason",
  ]);
  expect(errorOf(await credit({ ...body, points: -999_999 }))).toEqual([
    402,
    "insufficient_points",
    "points",
  ]);
  expect(errorOf(await credit({ ...body, reason: "x".repeat(70_000) }))[0]).toBe(413);
  expect(errorOf(await ask("GET", "accounts?after=other"))).toEqual([
    400,
    "invalid_value",
    "after",
  ]);
  const batch = { name: "x", points: 1, count: 1, expires_at: 1 };
  const late = await ask("POST", "vouchers", batch);
  expect(errorOf(late)).toEqual([400, "invalid_value", "expires_at"]);
  expect(errorOf(await ask("GET", "accounts?q=a&q=b"))[1]).toBe("invalid_value");
  expect(errorOf(await ask("GET", "accounts/none"))).toEqual([404, "not_found", null]);
  expect(errorOf(await ask("GET", "operator-keys"))).toEqual([404, "route_not_found", null]);
});

test("a program makes an account without points or power, sets its terms and reads it", async () => {
  const made = await ask("POST", "accounts", { email: "New@example.com", name: "New" });
  expect(made.status).toBe(201);
  const id = made.json.account_id;
  expect(errorOf(await ask("POST", "accounts", { email: "new@example.com" }))).toEqual([
    409,
    "already_exists",
    "email",
  ]);
  expect(errorOf(await ask("POST", "accounts", { email: "b", is_operator: true }))[0]).toBe(400);
  const terms = { model: null, multiplier: "0.8", reason: "Contract" };
  expect((await ask("POST", `accounts/${id}/multiplier`, terms)).status).toBe(200);
  expect((await ask("GET", `accounts/${id}`)).json.account).toMatchObject({
    email: "new@example.com",
    is_operator: false,
    available_points: 0,
    multiplier: "0.8",
  });
  const list = await ask("GET", `actions?actor=${key.id}`);
  expect(
    list.json.data.map((row: { action: string; actor_name: string }) => [
      row.action,
      row.actor_name,
    ]),
  ).toEqual([
    ["account.multiplier", "billing"],
    ["account.create", "billing"],
  ]);
});

test("a file of the pages is a file here", async () => {
  const answer = await fetch(`${composed.origin}/v1/admin/actions/csv`, {
    headers: { authorization: `Bearer ${key.secret}` },
  });
  expect(answer.headers.get("content-type")).toContain("text/csv");
  expect(answer.headers.get("x-ratelimit-limit-requests")).toBe("300");
  expect((await answer.text()).split("\n")[0]).toMatch(/^seq,time,actor/);
});

test("page, command line and API write the same rows of the log", async () => {
  const body = (ref: string) => ({ reason: "Thanks", ref });
  const at = (await actions({})).at(-1)?.seq ?? 0n;
  expect((await credit({ ...body("by-api"), points: 3 })).status).toBe(200);
  const paged = { ...body("by-page"), points: "3" };
  expect(await askPage(operator, "adjustPoints", composed.accountId, paged)).toBe(200);
  const words = "account credit --email a@example.com --points 3 --reason Thanks --ref by-cli";
  expect(await runInProcess(words.split(" "), { environment: process.env })).toMatchObject({
    code: 0,
  });
  const rows = await actions({ seq: { gt: at } });
  expect(rows.map(({ actor }) => actor)).toEqual([key.id, operator.userId, "cli"]);
  const shapes = rows.map(({ action, subject, detail }) => [
    action,
    subject,
    Object.keys(detail as object).sort(),
  ]);
  expect(shapes).toEqual([shapes[0], shapes[0], shapes[0]]);
});

test("a key ends with its expiry, its revocation, its maker's role, suspension and account", async () => {
  const state = async () => errorOf(await ask("GET", "overview"));
  const deps = { ...pagesDeps(), database: composed.database };
  const { userId, accountId } = await newOperator(composed, "gone@example.com");
  const renew = async () => {
    key = await newOperatorKey(composed, { userId }, ["usage:read"]);
    expect((await state())[0]).toBe(200);
  };
  await renew();
  await composed.database.operatorKey.update({
    where: { id: key.id },
    data: { expiresAt: new Date(0) },
  });
  expect(await state()).toEqual([401, "api_key_expired", null]);
  await renew();
  const { invite } = await createInvite(deps, key.id, { note: null, points: 5n, days: 3 });
  const other = await createInvite(deps, "cli", { note: null, points: 5n, days: 3 });
  await revokeOperatorKey(deps, "test", { id: key.id });
  expect(await state()).toEqual([401, "api_key_revoked", null]);
  // What it offered ends with it.
  const open = await composed.database.invite.findMany({ where: { revokedAt: null } });
  expect(open.map(({ id }) => id)).toContain(other.invite.id);
  expect(open.map(({ id }) => id)).not.toContain(invite.id);
  await renew();
  await suspendAccount(deps, "test", { accountId, reason: "x" });
  expect((await state())[1]).toBe("account_suspended");
  await resumeAccount(deps, "test", { accountId });
  expect((await state())[0]).toBe(200);
  await setOperator(deps, "test", { userId, isOperator: false });
  expect(await state()).toEqual([401, "api_key_revoked", null]);
  const wanted = { userId, name: "again", scopes: ["usage:read"] } as const;
  await expect(createOperatorKey(deps, "test", wanted)).rejects.toThrow("Only an operator");
  await setOperator(deps, "test", { userId, isOperator: true });
  // The old key does not come back with the role.
  expect(await state()).toEqual([401, "api_key_revoked", null]);
  await renew();
  await closeAccount(deps, "test", { accountId });
  expect(await state()).toEqual([401, "invalid_api_key", null]);
  expect(await composed.database.operatorKey.count({ where: { userId } })).toBe(0);
});

test("the document names every address with its scope", async () => {
  const { json, status } = await ask("GET", "openapi.json");
  expect([status, json.openapi]).toEqual([200, "3.1.1"]);
  expect(json.paths["/v1/admin/accounts/{id}/adjust"].post).toMatchObject({
    operationId: "adjustPoints",
    security: [{ operatorKey: ["points:write"] }],
    requestBody: {
      content: { "application/json": { schema: { required: ["points", "reason", "ref"] } } },
    },
  });
  expect(json.paths["/v1/admin/accounts"].post.responses).toHaveProperty("201");
  expect(Object.keys(json.paths["/v1/admin/actions/csv"].get.responses["200"].content)).toEqual([
    "text/csv",
  ]);
});
