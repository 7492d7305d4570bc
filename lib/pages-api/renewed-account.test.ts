/** The first proof of an address by a new password, and the undoing of a change of address. */
import { expect, test } from "vitest";
import { Authenticator } from "@/testing/accounts/authenticator";
import { FactorPeople } from "@/testing/accounts/factor-people";
import { password } from "@/testing/accounts/recovery-pages";
import type { TestBrowser } from "@/testing/accounts/test-browser";
import { opened } from "@/testing/unit/opened";
import { createApiKey } from "../commands/api-keys";
import { createManagementKey } from "../commands/management-keys";
import { createWebhook } from "../commands/webhooks";
import { inTransaction } from "../db/transaction";

const people = await opened(FactorPeople.open(), ({ site }) => site.close());

const next = "another horse battery";
const accountOf = async (userId: string) =>
  (await people.site.deps.database.user.findUniqueOrThrow({ where: { id: userId } })).accountId;

async function joins(owner: TestBrowser, member: TestBrowser, role: string) {
  const { json } = await owner.call("inviteMember", { role, email: null });
  const token = new URL(json.link).searchParams.get("token");
  expect((await member.call("acceptInvitation", { token })).code).toBe("done");
}

/** Somebody who signed up with another's address, and left in the account whatever can be left. */
async function stranger() {
  const { deps } = people.site;
  const { database, pool } = deps;
  const { userId, email, browser } = await people.signedIn();
  const accountId = await accountOf(userId);
  const friend = await people.signedIn();
  const team = await people.signedIn();
  await joins(browser, friend.browser, "admin");
  const teamAccount = await accountOf(team.userId);
  await joins(team.browser, browser, "admin");
  const made = async (maker: string, account: string) =>
    (await createApiKey(deps, maker, { accountId: account, name: "k" })).key.id;
  const keys = [
    await made(userId, accountId),
    await made(friend.userId, accountId),
    await made(userId, teamAccount),
  ];
  const kept = await made(team.userId, teamAccount);
  await createManagementKey(deps, userId, { accountId, name: "m", scopes: ["keys:write"] });
  const told = { url: "https://stranger.example/", kinds: ["payment_paid"] as const };
  await createWebhook(deps, userId, { accountId: teamAccount, ...told });
  await createWebhook(deps, team.userId, { accountId: teamAccount, ...told });
  await browser.call("switchAccount", undefined, accountId);
  const offered = (await browser.call("inviteMember", { role: "admin", email: null })).json.link;
  await database.user.update({ where: { id: userId }, data: { name: "X" } });
  await pool.query(
    `insert into operator_key (id, user_id, name, key_hash, hint, scopes) values ($1, $2, 'o', sha256($3), 'h', '{audit:read}')`,
    [`opkey_${userId}`, userId, Buffer.from(userId)],
  );
  await database.userIdentity.create({
    data: { provider: "oidc", providerAccountId: `i ${userId}`, userId },
  });
  await pool.query(
    `insert into webhook_endpoint (id, account_id, url, kinds, sealed) values ($1, $2, 'https://x.example/', '{balance_low}', $3)`,
    [`whe_${userId}`, accountId, Buffer.alloc(40)],
  );
  await pool.query(
    `insert into auto_topup (account_id, customer_id, card_id, card_brand, card_last4, card_expires) values ($1, $2, $3, 'visa', '4242', '2030-01')`,
    [accountId, `cus_${userId}`, `pm_${userId}`],
  );
  await pool.query("insert into account_billing (account_id, name) values ($1, 'X')", [accountId]);
  await pool.query(
    `insert into notification_choice (user_id, kind, by_mail) values ($1, 'device_new', false)`,
    [userId],
  );
  const device = new Authenticator(deps.settings.publicUrl);
  await browser.call("addPasskey", device.register((await browser.call("startPasskey")).json));
  return { userId, email, accountId, browser, friend, team, teamAccount, keys, kept, offered };
}

type Stranger = Awaited<ReturnType<typeof stranger>>;

/** Nothing that was given or set before is left. */
async function expectNew(of: Stranger) {
  const { database, pool } = people.site.deps;
  const { userId, accountId, teamAccount } = of;
  const rows = await database.apiKey.findMany({ where: { id: { in: [...of.keys, of.kept] } } });
  const inUse = rows.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
  expect(inUse).toEqual([of.kept]);
  const left = await pool.query(
    `select (select count(*) from management_key where account_id = $1 and revoked_at is null)
      + (select count(*) from operator_key where user_id = $2 and revoked_at is null)
      + (select count(*) from account_member where (account_id = $1 and user_id <> $2) or (account_id = $3 and user_id = $2))
      + (select count(*) from account_invitation where account_id = $1 and accepted_at is null and revoked_at is null)
      + (select count(*) from webhook_endpoint where account_id = $1)
      + (select abs(1 - count(*)) from webhook_endpoint where account_id = $3 and paused_at is null)
      + (select count(*) from auto_topup where account_id = $1 and (is_on or card_id is not null))
      + (select count(*) from account_billing where account_id = $1)
      + (select count(*) from account where id = $1 and renewals <> 1)
      + (select count(*) from user_identity where user_id = $2) + (select count(*) from passkey where user_id = $2)
      + (select count(*) from user_session where user_id = $2) + (select count(*) from user_link where user_id = $2 and kind <> 'reset')
      + (select count(*) from notification_choice where user_id = $2)
      + (select count(*) from "user" where id = $2 and (name is not null or has_second_factor)) as n`,
    [accountId, userId, teamAccount],
  );
  expect(Number(left.rows[0].n)).toBe(0);
  const gone = await pool.query("select from stripe_removal where id = $1", [`pm_${userId}`]);
  expect(gone.rowCount).toBe(1);
  expect((await of.browser.call("showMe")).code).toBe("sign_in_required");
  expect((await of.friend.browser.call("showMe")).json.account.id).not.toBe(accountId);
  const token = new URL(of.offered).searchParams.get("token");
  expect((await of.team.browser.call("acceptInvitation", { token })).code).toBe("link_invalid");
}

const found = [
  "3 API keys",
  "1 management key",
  "1 operator key",
  "1 other member of your account",
  "1 membership in another account",
  "1 open invitation",
  "2 webhooks",
  "1 saved card",
  "Billing details",
  "1 sign-in through another service",
  "1 passkey",
];

test("the first proof of an address makes the account new, and a mail says what was found", async () => {
  const of = await stranger();
  const token = await people.site.resetToken(of.email);
  const reset = await people.newBrowser().call("resetPassword", { token, newPassword: next });
  expect(reset.code).toBe("done");
  await expectNew(of);
  expect(await people.site.signInWith(of.email, password)).toBe("wrong_credentials");
  expect(await people.site.signInWith(of.email, next)).toBe("in");
  const mail = people.site.catcher.to(of.email).at(-2);
  for (const line of found) expect(mail?.text).toContain(line);
  const [action] = await people.site.deps.database.operatorAction.findMany({
    where: { subject: of.userId, action: "password.reset" },
  });
  expect(action?.detail).toMatchObject({ found: { keys: 3, members: 1, passkeys: 1 } });
});

test("a proven address keeps what it has at the next reset", async () => {
  const of = await stranger();
  const { database } = people.site.deps;
  const proven = { where: { id: of.userId }, data: { emailVerifiedAt: new Date() } };
  await database.user.update(proven);
  const token = await people.site.resetToken(of.email);
  await people.newBrowser().call("resetPassword", { token, newPassword: next });
  expect(await database.apiKey.count({ where: { accountId: of.accountId, revokedAt: null } })).toBe(
    2,
  );
  expect(await database.passkey.count({ where: { userId: of.userId } })).toBe(1);
});

test("undoing a change of address makes the account new too, and its old password ends", async () => {
  const of = await stranger();
  const to = `taken-${of.email}`;
  expect((await of.browser.call("requestEmail", { email: to })).code).toBe("done");
  const undo = people.site.lastMail(of.email).token;
  const confirm = people.site.lastMail(to).token;
  expect((await of.browser.call("confirmEmail", { token: confirm })).code).toBe("done");
  expect((await people.newBrowser().call("undoEmail", { token: undo })).code).toBe("done");
  await expectNew(of);
  expect(await people.site.signInWith(of.email, password)).toBe("wrong_credentials");
  expect(await people.site.signInWith(to, password)).toBe("wrong_credentials");
  const mails = people.site.catcher.to(of.email).slice(-2);
  for (const line of found) expect(mails[0]?.text).toContain(line);
  const body = { token: mails[1]?.token, newPassword: next };
  expect((await people.newBrowser().call("resetPassword", body)).code).toBe("done");
  expect(await people.site.signInWith(of.email, next)).toBe("in");
});

test("a key that a stranger's session makes during the first proof does not stay", async () => {
  const { userId, email, browser } = await people.signedIn();
  const accountId = await accountOf(userId);
  const token = await people.site.resetToken(email);
  const { pool, database } = people.site.deps;
  const locked =
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const waiting = async () => (await pool.query(locked)).rowCount;
  const both = await inTransaction(pool, async (client) => {
    // The reset is held back before it ends the session, and the key's change before its record.
    await client.query("select from account_member where account_id = $1 for update", [accountId]);
    const resetting = people.newBrowser().call("resetPassword", { token, newPassword: next });
    await expect.poll(waiting).toBe(1);
    const making = browser.call("createKey", { name: "late", budget: null });
    expect((await making).code).toBe("done");
    return [resetting];
  });
  expect((await Promise.all(both)).map(({ code }) => code)).toEqual(["done"]);
  expect(await database.apiKey.count({ where: { accountId, revokedAt: null } })).toBe(0);
});

test("what a session changes while its user's sessions are ended is not committed", async () => {
  const { userId, browser } = await people.signedIn();
  const accountId = await accountOf(userId);
  const { pool, database } = people.site.deps;
  const making = await inTransaction(pool, async (client) => {
    const changed = 'update "user" set session_version = session_version + 1 where id = $1';
    await client.query(changed, [userId]);
    // Admitted while the old version is what others see.
    const call = browser.call("createKey", { name: "late", budget: null });
    const locked = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await pool.query(locked)).rowCount).toBe(1);
    return { call };
  });
  expect(["sign_in_required", "service_busy"]).toContain((await making.call).code);
  expect(await database.apiKey.count({ where: { accountId } })).toBe(0);
});
