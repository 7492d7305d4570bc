import { afterEach, expect, test } from "vitest";
import { startMailCatcher } from "@/testing/accounts/mail-catcher";
import { OwnPages } from "@/testing/pages-api/own-pages";
import { opened } from "@/testing/unit/opened";
import type { Sender } from "../callbacks/keep-sending";
import { closeAccount } from "../commands/close-account";
import { handOut } from "./hand-out";
import { claimMails } from "./mail-queue";
import { startMailSender } from "./mail-sender";

let senders: Sender[] = [];
const problems: unknown[] = [];

const pages = await opened(OwnPages.open());
const catcher = await opened(startMailCatcher());
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.close()));
  senders = [];
});

const query = (text: string, ...values: unknown[]) => pages.site.deps.pool.query(text, values);
function start(server = catcher.url): void {
  const { pool } = pages.site.deps;
  const mailServer = { server, from: "Relay <no-reply@example.com>" };
  const onProblem = (error: unknown) => problems.push(error);
  const origin = "https://relay.example";
  senders.push(startMailSender({ pool, server: mailServer, origin, tickMs: 20, onProblem }));
}
const person = () => pages.signInVerified();
let number = 0;
async function tell(accountId: string, kind: string, data: object): Promise<void> {
  await query(
    "insert into notification (account_id, kind, dedupe_key, data) values ($1, $2, $3, $4)",
    accountId,
    kind,
    `test:${++number}`,
    data,
  );
}
const hand = () => Promise.all([1, 2, 3].map(() => handOut(pages.site.deps.pool, true)));
const low = { available_points: "7.5", below_points: "50000", days_left: 1 };
const task = (n: number) => ({ task: `cgt-${n}`, model: "super-relay", status: "succeeded" });

test("a person gets one mail about all that waits, in the own language, and the next one ten minutes later", async () => {
  const { userId, accountId, email } = await person();
  await tell(accountId, "balance_low", low);
  await hand();
  for (let n = 0; n < 3; n++) start();
  await expect.poll(() => catcher.to(email).length).toBe(1);
  expect(catcher.to(email)[0]).toMatchObject({ subject: "Your balance is low (relay.example)" });
  expect(catcher.to(email)[0]?.text).toContain(
    "7.5 points are left, fewer than the 50,000 for which you want a notification. At the rate of the last seven days they last 1 day.\nhttps://relay.example/points",
  );
  const mails = [
    { kind: "task_finished", byMail: true },
    { kind: "balance_low", byMail: false },
  ];
  const headers = { "accept-language": "zh-CN" };
  const chosen = await pages.call("chooseNotifications", {
    method: "PATCH",
    body: { mails },
    headers,
  });
  expect(chosen.status).toBe(200);
  for (let n = 0; n < 30; n++) await tell(accountId, "task_finished", task(n));
  await tell(accountId, "balance_low", low);
  await hand();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(catcher.to(email)).toHaveLength(1);
  await query(
    "update notification_mail set sent_at = sent_at - interval '11 minutes' where user_id = $1",
    userId,
  );
  await expect.poll(() => catcher.to(email).length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(catcher.to(email)).toHaveLength(2);
  const second = catcher.to(email)[1];
  expect(second?.subject).toBe("relay.example 的 30 条通知");
  expect(second?.text.match(/任务 cgt-/g)).toHaveLength(30);
  expect(second?.text).not.toContain("余额");
  const { notifications, nextCursor } = (await pages.call("listNotifications")).json;
  expect(notifications).toHaveLength(25);
  const query25 = `?${new URLSearchParams({ cursor: nextCursor })}`;
  const rest = (await pages.call("listNotifications", { query: query25 })).json;
  expect(rest.notifications).toHaveLength(7);
  expect(rest.notifications.at(-1)).toMatchObject({ kind: "balance_low", mail: "sent" });
  expect(problems).toEqual([]);
});

test("claims at the same time never share what waits for one person", async () => {
  for (let round = 0; round < 8; round++) {
    const { accountId, userId } = await person();
    for (let n = 0; n < 30; n++) await tell(accountId, "balance_low", low);
    await hand();
    const { pool } = pages.site.deps;
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimMails(pool, 2)));
    const own = claims.flat().filter((mail) => mail.userId === userId);
    expect(own.map(({ about }) => about.length)).toEqual([30]);
  }
});

test("mails go to verified addresses of the own account only", async () => {
  const { accountId, email } = await person();
  const other = await person();
  await query('update "user" set email_verified_at = null where id = $1', other.userId);
  await tell(accountId, "balance_low", low);
  await tell(other.accountId, "balance_low", low);
  await hand();
  start();
  await expect.poll(() => catcher.to(email).length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(catcher.to(other.email)).toEqual([]);
  expect((await pages.call("listNotifications")).json.notifications).toMatchObject([
    { mail: null },
  ]);
});

test("a mail that the server does not accept is tried again, and given up in the end", async () => {
  const { userId, accountId } = await person();
  await tell(accountId, "balance_low", low);
  await hand();
  start("smtp://127.0.0.1:1");
  const row = async () =>
    (
      await query(
        "select attempts, given_up_at is not null as over from notification_mail where user_id = $1",
        userId,
      )
    ).rows[0];
  for (let attempt = 1; attempt <= 6; attempt++) {
    await expect.poll(row).toEqual({ attempts: attempt, over: attempt === 6 });
    await query("update notification_mail set next_attempt_at = now() where user_id = $1", userId);
  }
});

test("a new browser is told of in the commit of its session, and not after the sign-up", async () => {
  const { userId, accountId } = await person();
  const begin = (sessionId: string, isNewDevice: boolean) =>
    pages.site.deps.sessions.begin({
      userId,
      sessionId,
      sessionVersion: 1,
      expiresAt: new Date(Date.now() + 60_000),
      address: "192.0.2.9",
      userAgent: "test",
      locale: "zh-CN",
      isNewDevice,
    });
  await begin("s1", true);
  await query("update \"user\" set created_at = now() - interval '1 day' where id = $1", userId);
  await begin("s2", false);
  expect((await pages.call("listNotifications")).json.notifications).toEqual([]);
  await begin("s3", true);
  const told = (await pages.call("listNotifications")).json.notifications;
  expect(told).toMatchObject([{ kind: "device_new" }]);
  expect(told[0].text).toContain("from the address 192.0.2.9");
  expect((await query('select locale from "user" where id = $1', userId)).rows).toEqual([
    { locale: "zh-CN" },
  ]);
  // A closed account leaves nothing.
  await query(
    "insert into notification_told (account_id, subject) values ($1, 'balance_low')",
    accountId,
  );
  await closeAccount(pages.site.deps, "cli", { accountId });
  for (const table of ["notification", "notification_told", "webhook_endpoint"])
    expect((await query(`select from ${table} where account_id = $1`, accountId)).rowCount).toBe(0);
});
