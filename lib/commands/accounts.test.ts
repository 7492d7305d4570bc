import { expect, test, vi } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { createKeyAuthenticator } from "../accounts/key-authenticator";
import { signUp } from "../accounts/sign-up";
import { openChanges } from "../db/changes";
import { openPool } from "../db/pool";
import {
  changeKeyDefault,
  changeMultiplier,
  resumeAccount,
  setOperator,
  suspendAccount,
} from "./accounts";
import { createApiKey } from "./api-keys";
import { signInWithPassword } from "./sign-in";

const password = "correct horse battery";
const actor = "user_op";

const site = await opened(startSiteProcess());
const changes = await opened(openChanges(site.databaseUrl));

const newUser = (name: string) =>
  signUp(site.deps, { email: `${name}@example.com`, password, address: "192.0.2.1" });
const newKey = (accountId: string) => createApiKey(site.deps, actor, { accountId, name: "one" });
const actions = (subject: string) =>
  site.deps.database.operatorAction.findMany({
    where: { subject, actor },
    orderBy: { id: "asc" },
    select: { action: true, detail: true },
  });

test("a suspended account's keys are refused within 5 s in every process, and work again once it is resumed", async () => {
  const { database } = site.deps;
  const { accountId } = await newUser("suspended");
  const { secret } = await newKey(accountId);
  const pools = [openPool(site.databaseUrl, 1), openPool(site.databaseUrl, 1)];
  const authenticators = pools.map((pool) => createKeyAuthenticator({ pool, changes }));
  const asked = async () =>
    Promise.all(
      authenticators.map(async (authenticator) =>
        Promise.resolve()
          .then(() => authenticator.identify(`Bearer ${secret}`))
          .then(
            () => "ok",
            (error) => error.code,
          ),
      ),
    );
  expect(await asked()).toEqual(["ok", "ok"]);
  await suspendAccount({ database }, actor, { accountId, reason: "Unpaid" });
  await vi.waitFor(
    async () => expect(await asked()).toEqual(["account_suspended", "account_suspended"]),
    { timeout: 5000 },
  );
  expect(await database.account.findUnique({ where: { id: accountId } })).toMatchObject({
    status: "suspended",
    suspendedReason: "Unpaid",
  });
  await suspendAccount({ database }, actor, { accountId, reason: "Again" });
  await expect(
    signInWithPassword(site.deps, { email: "suspended@example.com", password }),
  ).resolves.toMatchObject({ accountId });
  await resumeAccount({ database }, actor, { accountId });
  await vi.waitFor(async () => expect(await asked()).toEqual(["ok", "ok"]), { timeout: 5000 });
  expect(await actions(accountId)).toMatchObject([
    {
      action: "account.suspend",
      detail: { reason: "Unpaid", before: { status: "active" }, after: { status: "suspended" } },
    },
    { action: "account.resume" },
  ]);
  await expect(
    suspendAccount({ database }, actor, { accountId: "acct_none", reason: "x" }),
  ).rejects.toMatchObject({ code: "not_found" });
  await Promise.all(
    [...authenticators, ...pools.map((pool) => ({ close: () => pool.end() }))].map((part) =>
      part.close(),
    ),
  );
});

test("an operator loses the role while the account is suspended", async () => {
  const { database, sessions } = site.deps;
  const { accountId, userId } = await newUser("operator");
  await setOperator({ database }, actor, { userId, isOperator: true });
  const claim = { sessionId: "s", userId, sessionVersion: 2 };
  expect(await sessions.find(claim)).toMatchObject({ isOperator: true });
  await suspendAccount({ database }, actor, { accountId, reason: "x" });
  sessions.forget();
  expect(await sessions.find(claim)).toMatchObject({ isOperator: false });
});

test("gaining or losing the operator role ends the user's sessions and is recorded", async () => {
  const { database, sessions } = site.deps;
  const { userId } = await newUser("promoted");
  expect(await sessions.find({ sessionId: "s", userId, sessionVersion: 1 })).not.toBeNull();
  await setOperator({ database }, actor, { userId, isOperator: true });
  await setOperator({ database }, actor, { userId, isOperator: true });
  sessions.forget();
  expect(await sessions.find({ sessionId: "s", userId, sessionVersion: 1 })).toBeNull();
  expect(await actions(userId)).toMatchObject([
    { action: "user.operator", detail: { before: { operator: false }, after: { operator: true } } },
  ]);
});

test("multipliers are changed and removed with a reason, and recorded with both values", async () => {
  const { database } = site.deps;
  const { accountId } = await newUser("dear");
  const change = (model: string | null, multiplierPpm: number | null) =>
    changeMultiplier({ database }, actor, {
      accountId,
      model,
      multiplierPpm,
      reason: "A discount",
    });
  await change(null, 850_000);
  await change("RelayV1", 500_000);
  await change("RelayV1", null);
  await expect(change("none", 1)).rejects.toMatchObject({ code: "model_not_found" });
  expect(
    await database.account.findUnique({
      where: { id: accountId },
      include: { modelMultipliers: true },
    }),
  ).toMatchObject({
    multiplierPpm: 850_000,
    modelMultipliers: [],
  });
  expect((await actions(accountId)).map(({ detail }) => detail)).toEqual([
    { reason: "A discount", before: { multiplier: null }, after: { multiplier: "0.85" } },
    {
      model: "RelayV1",
      reason: "A discount",
      before: { multiplier: null },
      after: { multiplier: "0.5" },
    },
    {
      model: "RelayV1",
      reason: "A discount",
      before: { multiplier: "0.5" },
      after: { multiplier: null },
    },
  ]);
});

test("a new key without a limit gets the account's default, an older one keeps its own", async () => {
  const { database } = site.deps;
  const { accountId } = await newUser("limited");
  expect((await newKey(accountId)).key.requestsPerMinute).toBe(60);
  await changeKeyDefault({ database }, actor, { accountId, requestsPerMinute: 5 });
  expect((await newKey(accountId)).key.requestsPerMinute).toBe(5);
  await changeKeyDefault({ database }, actor, { accountId, requestsPerMinute: null });
  expect((await newKey(accountId)).key.requestsPerMinute).toBe(60);
});
