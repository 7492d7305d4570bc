import { expect, test } from "vitest";
import { openOperatorClient } from "@/testing/pages-api/operator-client";
import { opened } from "@/testing/unit/opened";
import { createApiKey } from "../commands/api-keys";
import { newId } from "../crypto/ids";

const client = await opened(openOperatorClient());
const user = await client.newUser("some_one");

const found = async (q: string, more = "") => {
  const { status, json } = await client.call("listAccounts", {
    query: `?q=${encodeURIComponent(q)}${more}`,
  });
  expect(status).toBe(200);
  return (json as { accounts: { id: string }[] }).accounts.map(({ id }) => id);
};
const ref = () => crypto.randomUUID();

test("an account is found by email, account id, key, request id and task id; pattern characters match literally", async () => {
  const { accountId } = user;
  const { key, secret } = await createApiKey(client.site.deps, "cli", { accountId, name: "one" });
  const requestId = newId("request");
  const hold = await client.charge(accountId, 5n, { requestId });
  for (const q of [
    "some_one@example.com",
    "SOME_ONE",
    accountId,
    user.userId,
    key.id,
    key.hint,
    secret,
    secret.slice(0, 12),
    requestId,
    hold.operationId,
  ]) {
    expect(await found(q), q).toEqual([accountId]);
  }
  for (const q of [
    "some%one",
    "someXone",
    "%",
    "_____",
    "\\",
    newId("request"),
    newId("account"),
    newId("task"),
    crypto.randomUUID(),
    "sk-rly-%",
  ]) {
    expect(await found(q), q).toEqual([]);
  }
  expect(await found("", "&operators=yes")).toEqual([client.operator.accountId]);
  expect(await found("", "&status=suspended")).toEqual([]);
});

test("accounts are listed page by page, newest first, each once", async () => {
  for (let n = 0; n < 55; n++) {
    const { database } = client.site.deps;
    await database.account.create({ data: { id: newId("account", Date.now() - 1e9 - n) } });
  }
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { json } = await client.call("listAccounts", {
      query: cursor === "" ? "" : `?cursor=${cursor}`,
    });
    const page = json as { accounts: { id: string }[]; nextCursor: string | null };
    seen.push(...page.accounts.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(seen).toHaveLength(57);
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
  expect((await client.call("listAccounts", { query: "?cursor=x" })).status).toBe(400);
});

test("an account page shows balance, key hints, usage, users and sessions, and no secret", async () => {
  const { sessions } = client.site.deps;
  const start = {
    userId: user.userId,
    sessionId: "session-1",
    sessionVersion: 1,
    expiresAt: new Date(Date.now() + 1e6),
  };
  await sessions.begin({ ...start, address: "192.0.2.7", userAgent: "test" });
  const { json, text } = await client.call("showAccount", { id: user.accountId });
  expect(json).toMatchObject({
    account: {
      id: user.accountId,
      email: "some_one@example.com",
      name: null,
      status: "active",
      multiplier: "1",
      suspension: null,
      charged: "0.000005",
      spent: "0.000005",
      lastSeenAt: expect.any(String),
    },
    people: [
      { email: "some_one@example.com", sessions: [{ id: "session-1", address: "192.0.2.7" }] },
    ],
    keys: [{ name: "one", status: "active", hint: expect.stringMatching(/^sk-rly-/) }],
    usage: [{ model: "test-model", requests: 1, charged: "0.000005" }],
  });
  expect(text).not.toMatch(/hash|password/i);
  expect((await client.call("endAccountSession", { id: "session-1" })).status).toBe(200);
  expect((await client.call("endAccountSession", { id: "session-1" })).status).toBe(404);
  expect((await client.call("showAccount", { id: "acct_none" })).status).toBe(404);
  const entries = (await client.call("listAccountEntries", { id: user.accountId })).json as {
    entries: object[];
  };
  expect(entries.entries).toMatchObject([{ kind: "request" }, { kind: "grant" }]);
});

test("points are adjusted once per reference, with a reason", async () => {
  const id = user.accountId;
  const body = { points: "-2.5", reason: "A mistake", ref: ref() };
  expect((await client.call("adjustPoints", { id, body })).json).toMatchObject({
    isNew: true,
    available: "997.499995",
  });
  expect((await client.call("adjustPoints", { id, body })).json).toMatchObject({
    isNew: false,
    available: "997.499995",
  });
  expect(
    (await client.call("adjustPoints", { id, body: { ...body, points: "-3" } })).json,
  ).toMatchObject({
    error: { code: "already_exists" },
  });
  expect(
    (await client.call("adjustPoints", { id, body: { ...body, ref: ref(), reason: " " } })).json,
  ).toMatchObject({
    error: { param: "reason" },
  });
  expect(
    (await client.call("adjustPoints", { id: "acct_none", body: { ...body, ref: ref() } })).status,
  ).toBe(404);
});

test("a charge is refunded by its request id, and its user sees the refund", async () => {
  const requestId = newId("request");
  await client.charge(user.accountId, 1_000_000n, { requestId });
  const body = { points: "0.25", reason: "Late", ref: ref() };
  expect((await client.call("refundCharge", { id: requestId, body })).json).toMatchObject({
    points: "0.250000",
    refunded: "0.250000",
    isNew: true,
  });
  expect(
    (
      await client.call("refundCharge", {
        id: requestId,
        body: { ...body, points: "0.8", ref: ref() },
      })
    ).json,
  ).toMatchObject({
    error: { code: "invalid_value", message: expect.stringContaining("0.750000") },
  });
  const all = { points: null, reason: "Late", ref: ref() };
  expect((await client.call("refundCharge", { id: requestId, body: all })).json).toMatchObject({
    points: "0.750000",
    refunded: "1.000000",
  });
  expect((await client.call("showLoggedRequest", { id: requestId })).json).toMatchObject({
    request: { refunded: "1.000000" },
    account: { email: "some_one@example.com" },
    refunds: [
      { points: "0.250000", reason: "Late", actor: client.operator.userId },
      { points: "0.750000" },
    ],
  });
  expect((await client.call("refundCharge", { id: newId("request"), body: all })).status).toBe(404);
});

test("changes of multiplier, limits, suspension and keys are recorded with the operator", async () => {
  const id = user.accountId;
  expect(
    (
      await client.call("changeMultiplier", {
        id,
        body: { model: null, multiplier: "0.85", reason: "Friend" },
      })
    ).status,
  ).toBe(200);
  expect(
    (
      await client.call("changeMultiplier", {
        id,
        body: { model: "RelayV1", multiplier: "1000", reason: "x" },
      })
    ).status,
  ).toBe(400);
  expect(
    (await client.call("changeKeyDefault", { id, body: { requestsPerMinute: 9 } })).status,
  ).toBe(200);
  expect((await client.call("suspendAccount", { id, body: { reason: "Unpaid" } })).status).toBe(
    200,
  );
  expect(
    (await client.call("suspendAccount", { id: client.operator.accountId, body: { reason: "Me" } }))
      .status,
  ).toBe(400);
  const { json } = await client.call("showAccount", { id });
  const { account, keys } = json as { account: object; keys: { id: string }[] };
  expect(account).toMatchObject({
    status: "suspended",
    suspension: { reason: "Unpaid" },
    multiplier: "0.85",
    keyRequestsPerMinute: 9,
  });
  expect(await found("", "&status=suspended")).toEqual([id]);
  expect((await client.call("resumeAccount", { id })).status).toBe(200);
  expect((await client.call("revokeAccountKey", { id: keys[0]?.id })).status).toBe(200);
  expect((await client.call("revokeAccountKey", { id: "key_none" })).status).toBe(404);
  const log = (await client.call("listActions", { query: `?actor=${client.operator.userId}` }))
    .json as {
    actions: { action: string }[];
  };
  expect(log.actions.map(({ action }) => action)).toEqual([
    "key.revoke",
    "account.resume",
    "account.suspend",
    "account.key_limit",
    "account.multiplier",
    "charge.refund",
    "charge.refund",
    "account.credit",
    "sessions.end_one",
  ]);
});

test("an invitation's link is shown once, left out of the list, and can be revoked", async () => {
  const made = (
    await client.call("createInvite", { body: { note: "for Ann", points: "3", days: 7 } })
  ).json as {
    invite: { id: string };
    link: string;
  };
  expect(made.link).toMatch(/^http:\/\/localhost:3000\/signup\?invite=/);
  const listed = await client.call("listInvites");
  expect(listed.json).toMatchObject({
    invites: [{ id: made.invite.id, status: "open", points: "3.000000" }],
  });
  expect(listed.text).not.toContain(made.link.split("=")[1]);
  expect((await client.call("revokeInvite", { id: made.invite.id })).json).toMatchObject({
    invite: { status: "revoked" },
  });
  expect(
    (await client.call("createInvite", { body: { note: null, points: null, days: 0 } })).status,
  ).toBe(400);
});
