/** `/v1/account` over HTTP against the process as it is composed: what a program of a customer does. */
import { beforeEach, expect, test } from "vitest";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { accountApiRows } from "@/lib/contract/key-rows";
import { type ManagementScope, managementScopes } from "@/lib/contract/states";
import {
  askAt,
  askRow,
  errorOf,
  type Manager,
  newManager,
  newStranger,
} from "@/testing/composition/managers";
import { serveComposition } from "@/testing/composition/served-composition";
import { opened } from "@/testing/unit/opened";

let manager: Manager;
const composed = await opened(serveComposition());
const stranger = await newStranger(composed);
beforeEach(async () => {
  await composed.database.managementKey.updateMany({
    where: { accountId: composed.accountId },
    data: { revokedAt: new Date() },
  });
  manager = await newManager(composed, composed.accountId);
});

const ask = (method: string, path: string, body?: object, secret = manager.secret) =>
  askAt(composed, secret, method, `/v1/account${path}`, body);
const hook = { url: "https://example.com/hook", kinds: ["balance_low"] };

async function codeOf(row: EndpointRow, secret: string) {
  const { status, code } = await askRow(composed, row, secret);
  return { status, code };
}

const scoped = accountApiRows.filter(({ scope }) => scope !== undefined);

test.each(managementScopes)(
  "the scope %s opens its rows alone, and no other scope does",
  async (scope) => {
    const rows = scoped.filter((row) => row.scope === scope);
    const alone = await newManager(composed, composed.accountId, [scope]);
    const rest: ManagementScope[] = managementScopes.filter((each) => each !== scope);
    const others = await newManager(composed, composed.accountId, rest);
    for (const row of rows) {
      expect([row.name, await codeOf(row, others.secret)]).toEqual([
        row.name,
        { status: 403, code: "scope_missing" },
      ]);
      const answer = await codeOf(row, alone.secret);
      expect(answer.code, row.name).not.toBe("scope_missing");
      // Unknown ids and empty bodies are refused in the API's own way; nothing fails inside.
      expect([200, 400, 404, 409, 503], row.name).toContain(answer.status);
    }
  },
);

test("none of them is about people or about keys that manage", () => {
  expect(scoped.length).toBeGreaterThan(35);
  const closed =
    /management-keys|sessions|members|invitations|proof|passkey|totp|password|email|close/;
  expect(accountApiRows.filter(({ path }) => closed.test(path))).toEqual([]);
});

test("another account's webhook is answered like one that does not exist, and stays as it is", async () => {
  const made = await ask("POST", "/webhooks", hook);
  expect([made.status, made.json.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  const { id } = made.json.webhook;
  const paths = [
    ["PATCH", `/webhooks/ID`, hook],
    ["DELETE", `/webhooks/ID`],
    ["POST", `/webhooks/ID/rotate`],
    ["POST", `/webhooks/ID/pause`],
    ["GET", `/webhooks/ID/deliveries`],
  ] as const;
  for (const [method, path, body] of paths) {
    const foreign = await ask(method, path.replace("ID", id), body, stranger.secret);
    const absent = await ask(method, path.replace("ID", "whk_none"), body, stranger.secret);
    expect(errorOf(foreign)).toEqual([404, "not_found", null]);
    expect(foreign.json.error).toEqual(absent.json.error);
  }
  const own = await ask("GET", "/webhooks");
  expect(own.json.data).toEqual([made.json.webhook]);
  expect((await ask("GET", "/webhooks", undefined, stranger.secret)).json.data).toEqual([]);
});

test("a program names the account, sets its billing details and reads what the pages read", async () => {
  expect((await ask("POST", "/name", { name: "Team" })).json).toEqual({ done: true });
  const billing = { name: "Company", address: "Street 1", tax_number: "DE1" };
  expect((await ask("POST", "/billing", billing)).json.billing).toEqual(billing);
  expect((await ask("PATCH", "", { low_balance_notice_points: 5 })).json).toMatchObject({
    low_balance_notice_points: 5,
  });
  expect((await ask("GET", "/entries")).json.data).toHaveLength(1);
  const account = await composed.database.account.findUniqueOrThrow({
    where: { id: composed.accountId },
  });
  expect(account.name).toBe("Team");
  expect(errorOf(await ask("POST", "/name", { name: "x".repeat(500) }))).toEqual([
    400,
    "invalid_value",
    "name",
  ]);
});

test("members' addresses are shown in usage and requests to a key with members:read only", async () => {
  const { key, accountId } = composed;
  const chat = { model: "RelayV1", messages: [{ role: "user", content: "Say hello." }] };
  const sent = await askAt(composed, key.secret, "POST", "/v1/chat/completions", chat);
  const request = sent.headers.get("x-request-id");
  const from = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const to = new Date().toISOString().slice(0, 10);
  const chart = `from=${from}&to=${to}&zone=UTC`;
  const paths = [
    "/v1/usage?group_by=member",
    `/v1/account/usage/summary?${chart}&group=member`,
    `/v1/account/usage/chart?${chart}&group=member`,
    `/v1/account/usage/chart?${chart}&group=model&then_by=member`,
    "/v1/account/spend?group=member",
    `/v1/account/requests/${request}`,
  ];
  const rest = managementScopes.filter((scope) => scope !== "members:read");
  const blind = await newManager(composed, accountId, rest);
  for (const path of paths) {
    const seen = await askAt(composed, manager.secret, "GET", path);
    expect([path, seen.status, JSON.stringify(seen.json)]).toEqual([
      path,
      200,
      expect.stringContaining("a@example.com"),
    ]);
    const hidden = await askAt(composed, blind.secret, "GET", path);
    expect([path, hidden.status, JSON.stringify(hidden.json)]).toEqual([
      path,
      200,
      expect.not.stringContaining("example.com"),
    ]);
  }
});

test("the document names every address with its scope", async () => {
  const { json, status } = await ask("GET", "/openapi.json");
  expect([status, json.openapi]).toEqual([200, "3.1.1"]);
  expect(json.paths["/v1/account/webhooks/{id}/rotate"].post).toMatchObject({
    operationId: "rotateWebhook",
    security: [{ managementKey: ["webhooks:write"] }],
  });
  expect(Object.keys(json.paths)).toContain("/v1/account/invoices/{id}/pdf");
  expect(json.paths["/v1/account"].patch.security).toEqual([{ managementKey: ["account:write"] }]);
});
