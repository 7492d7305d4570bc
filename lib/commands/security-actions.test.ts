import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { verifyActionChain } from "../accounts/action-chain";
import { signUp } from "../accounts/sign-up";
import { changeApiKey, createApiKey, revokeApiKey } from "./api-keys";
import { endAllSessions, endSession } from "./sessions";
import { changePassword, signInWithPassword } from "./sign-in";

const site = await opened(startSiteProcess());

const password = "correct horse battery";

test("changes to an account's security are recorded, with actor and subject", async () => {
  const { deps } = site;
  const { database, ledger, sessions, pool } = deps;
  const email = "ada@example.com";
  const { userId, accountId } = await signUp(deps, { email, password, address: "192.0.2.1" });
  const { key } = await createApiKey({ database, ledger }, userId, { accountId, name: "one" });
  await changeApiKey({ database, ledger }, userId, { id: key.id, accountId, requestsPerMinute: 7 });
  await revokeApiKey({ database }, userId, { id: key.id, accountId });
  await revokeApiKey({ database }, userId, { id: key.id, accountId });
  const start = {
    userId,
    sessionVersion: 1,
    expiresAt: new Date(Date.now() + 60_000),
    address: null,
    userAgent: null,
  };
  await sessions.begin({ ...start, sessionId: "one" });
  await endSession(deps, userId, { sessionId: "one", userId });
  await changePassword(deps, userId, { currentPassword: password, newPassword: `${password}!` });
  await endAllSessions(deps, userId, { userId });
  for (let n = 0; n < 12; n++)
    await signInWithPassword(deps, { email, password: "wrong", address: "192.0.2.2" }).catch(
      () => {},
    );
  const rows = await database.operatorAction.findMany({
    orderBy: { seq: "asc" },
    select: { actor: true, action: true, subject: true, detail: true },
  });
  expect(rows).toMatchObject([
    {
      actor: userId,
      action: "key.create",
      subject: key.id,
      detail: { account: accountId, after: { name: "one", hint: key.hint } },
    },
    {
      actor: userId,
      action: "key.change",
      subject: key.id,
      detail: { before: { requestsPerMinute: 60 }, after: { requestsPerMinute: 7 } },
    },
    { actor: userId, action: "key.revoke", subject: key.id },
    { actor: userId, action: "sessions.end_one", subject: userId },
    { actor: userId, action: "password.change", subject: userId },
    { actor: userId, action: "sessions.end_all", subject: userId },
    { actor: "system", action: "attempts.limited", subject: `sign-in:${email}` },
  ]);
  expect(JSON.stringify(rows)).not.toContain(password);
  expect((await verifyActionChain(pool)).ok).toBe(true);
});
