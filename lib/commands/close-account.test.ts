/** Tests of the end of an account: what is erased, what is kept, and when it is refused. */
import { expect, test } from "vitest";
import { password, RecoveryPages } from "@/testing/accounts/recovery-pages";
import { connect, holdOf, openTestLedger, releaseOf, taskOf } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { setOperator, suspendAccount } from "./accounts";
import { createApiKey } from "./api-keys";
import { closeAccount } from "./close-account";
import { inviteMember } from "./invitations";
import { createWebhook } from "./webhooks";

const site = await opened(RecoveryPages.open());

const close = (email: string, losesPoints = true) =>
  site.call("closeAccount", { email, losesPoints });
const statusOf = async (accountId: string) =>
  (await site.deps.database.account.findUniqueOrThrow({ where: { id: accountId } })).status;

/** Leaves something in every table that knows about a person. */
async function leaveTraces({ accountId, userId }: { accountId: string; userId: string }) {
  const { database, pool } = site.deps;
  const name = "Ada's laptop";
  await createApiKey(site.deps, userId, { accountId, name, budget: null, hourlySpendMax: null });
  await database.user.update({ where: { id: userId }, data: { name: "Ada canary" } });
  const start = { sessionVersion: 1, expiresAt: new Date(Date.now() + 60_000) };
  const browser = { address: "192.0.2.1", userAgent: "canary browser" };
  await site.deps.sessions.begin({ sessionId: `s-${userId}`, userId, ...start, ...browser });
  const task = `cgt-${userId.slice(-26)}`;
  const ledger = await openTestLedger(site.pages.site.databaseUrl);
  const client = await connect(site.pages.site.databaseUrl);
  const { rows } = await client.query<{ id: string; model: string }>(
    "select id, model from price_version limit 1",
  );
  const { id: priceVersionId = "", model = "" } = rows[0] ?? {};
  const seeded = { accountId, apiKeyId: "", priceVersionId };
  const hold = holdOf(seeded, 1_000_000n, { apiKeyId: null, family: "video", model });
  const spec = { prompt: "a canary sings", resolution: "480p" };
  const imageUrls = ["https://example.com/canary.png"];
  const callbackUrl = "https://example.com/canary";
  await ledger.openTask(hold, taskOf({ taskId: task, spec, imageUrls, callbackUrl }));
  const end = async () => {
    await ledger.releaseTask(releaseOf(hold), { status: "failed", errorCode: "upstream_failed" });
    await ledger.close();
    await client.end();
  };
  await pool.query("insert into response_account (account_id, sealed_key) values ($1, 'canary')", [
    accountId,
  ]);
  await pool.query(
    "insert into stored_response (id, account_id, input, output, response) values ($1, $2, 'canary', 'canary', 'canary')",
    [`resp_${userId}`, accountId],
  );
  await pool.query(
    `insert into idempotent_request (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, state, body)
       values ($1, 'canary', 'x', sha256('x'), false, 'r', $2, 'answered', 'canary')`,
    [accountId, hold.operationId],
  );
  await pool.query(
    `insert into media (id, account_id, kind, extension, content_type, bytes, stored_at, expires_at)
       values ($1, $2, 'image', 'png', 'image/png', 1, now(), now() + interval '1 day')`,
    [`media_${userId}`, accountId],
  );
  return { end };
}

test("running requests are waited for; then the person is erased everywhere, and the ledger stays", async () => {
  const user = await site.newUser();
  const { accountId, userId, email } = user;
  const { end } = await leaveTraces(user);
  const dump = async () => JSON.stringify(await site.pages.site.dump());
  expect(await dump()).toContain("canary");
  expect(await close(email)).toEqual([409, "requests_running"]);
  expect(await statusOf(accountId)).toBe("active");
  await end();
  const { pool } = site.deps;
  const ledgerOf = async () =>
    (await pool.query("select * from ledger_journal where account_id = $1", [accountId])).rows;
  const before = await ledgerOf();
  expect(await close(email)).toEqual([200, "done"]);
  expect(await statusOf(accountId)).toBe("closed");
  expect(await ledgerOf()).toEqual(before);
  const after = await dump();
  expect(after).not.toContain("canary");
  expect(after).not.toContain(Buffer.from("canary").toString("hex"));
  expect(after).not.toContain(email);
  expect(await site.signInWith(email, password)).toBe("wrong_credentials");
  site.deps.sessions.forget();
  const claim = { sessionId: `s-${userId}`, userId, sessionVersion: 1 };
  expect(await site.deps.sessions.find(claim)).toBeNull();
  const { rows: keys } = await pool.query(
    "select name, revoked_at is not null as revoked from api_key where account_id = $1",
    [accountId],
  );
  expect(keys).toEqual([{ name: "erased", revoked: true }]);
  const { rows: files } = await pool.query(
    "select expires_at <= now() as due from media where account_id = $1",
    [accountId],
  );
  expect(files).toEqual([{ due: true }]);
  expect(site.lastMail(email).subject).toContain("was deleted");
  // Repeating it changes nothing, and the address is free again.
  await closeAccount(site.deps, "cli", { accountId });
  expect((await site.newUser()).email).not.toBe(email);
});

test("what the person made in accounts of others goes too: open invitations, and webhooks that lead where he wished", async () => {
  const [owner, leaver] = [await site.newUser(), await site.newUser()];
  const { accountId } = owner;
  const { database } = site.deps;
  await database.accountMember.create({
    data: { accountId, userId: leaver.userId, role: "admin" },
  });
  const wanted = { accountId, role: "viewer", email: null } as const;
  const told = { accountId, url: "https://told.example/", kinds: ["payment_paid"] as const };
  const both = [];
  for (const { userId } of [owner, leaver])
    both.push([
      (await inviteMember(site.deps, userId, wanted)).invitation.id,
      (await createWebhook(site.deps, userId, told)).webhook.id,
    ]);
  await closeAccount(site.deps, "cli", { accountId: leaver.accountId });
  const states = await Promise.all(
    both.map(async ([invitation = "", id = ""]) => [
      (await database.accountInvitation.findUnique({ where: { id: invitation } }))?.revokedAt,
      (await database.webhookEndpoint.findUnique({ where: { id } }))?.pausedAt,
    ]),
  );
  expect(states).toEqual([
    [null, null],
    [expect.any(Date), expect.any(Date)],
  ]);
  const subject = both[1]?.[1] ?? "";
  expect(await database.operatorAction.count({ where: { subject, action: "webhook.pause" } })).toBe(
    1,
  );
});

test("a hold and the end of its account at the same time: one of them is refused", async () => {
  const { accountId } = await site.newUser();
  const ledger = await openTestLedger(site.pages.site.databaseUrl);
  const { rows } = await site.deps.pool.query<{ id: string; model: string }>(
    "select id, model from price_version limit 1",
  );
  const { id: priceVersionId = "", model = "" } = rows[0] ?? {};
  const open = () =>
    ledger.openHold(
      holdOf({ accountId, apiKeyId: "", priceVersionId }, 1000n, { apiKeyId: null, model }),
    );
  const [closed, ...holds] = await Promise.allSettled([
    closeAccount(site.deps, "cli", { accountId }),
    ...Array.from({ length: 20 }, open),
  ]);
  const held = holds.filter((each) => each.status === "fulfilled" && each.value.result === "held");
  if (closed?.status === "fulfilled") expect(held).toEqual([]);
  else expect(held.length).toBeGreaterThan(0);
  expect((await open()).result === "held").toBe(closed?.status !== "fulfilled");
  await ledger.close();
});

test("points left must be given up, and the address be typed", async () => {
  const { email, accountId } = await site.newUser();
  expect(await close(email, false)).toEqual([400, "invalid_value"]);
  expect(await close("other@example.com")).toEqual([400, "invalid_value"]);
  expect(await statusOf(accountId)).toBe("active");
  expect(await close(email.toUpperCase())).toEqual([200, "done"]);
});

test("a suspended account is closed by an operator only", async () => {
  const { email, accountId } = await site.newUser();
  await suspendAccount(site.deps, "cli", { accountId, reason: "Unpaid" });
  expect(await close(email)).toEqual([403, "account_suspended"]);
  await closeAccount(site.deps, "cli", { accountId });
  expect(await statusOf(accountId)).toBe("closed");
});

test("of two operators who leave at once, one stays", async () => {
  const operators = [await site.newUser(), await site.newUser()];
  for (const { userId } of operators)
    await setOperator(site.deps, "cli", { userId, isOperator: true });
  const answers = await Promise.allSettled(
    operators.map(({ accountId }) => closeAccount(site.deps, "cli", { accountId })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = answers.find((answer) => answer.status === "rejected");
  expect(refused?.reason).toMatchObject({ code: "last_operator" });
});
