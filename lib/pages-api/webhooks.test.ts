import { Webhook } from "standardwebhooks";
import { Agent } from "undici";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver } from "@/testing/callbacks/receiver";
import { OwnPages } from "@/testing/pages-api/own-pages";
import { opened } from "@/testing/unit/opened";
import type { Sender } from "../callbacks/keep-sending";
import { pauseFailingWebhook } from "../commands/webhook-deliveries";
import { createGuardedAgent } from "../net/guarded-agent";
import { handOut } from "../notifications/hand-out";
import { startWebhookSender, type WebhookSenderDeps } from "../notifications/webhook-sender";

const dispatcher = await opened(new Agent());
let senders: Sender[] = [];
const closing: (() => Promise<unknown>)[] = [];

const pages = await opened(OwnPages.open());
beforeEach(() => pages.signInNew());
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.close()));
  senders = [];
  for (const close of closing.splice(0)) await close();
});

const problems: unknown[] = [];
function start(more: Partial<WebhookSenderDeps> = {}): void {
  const { pool, secrets } = pages.site.deps;
  const pause = (id: string) => pauseFailingWebhook({ pool }, "system", { id });
  const onProblem = (error: unknown) => problems.push(error);
  senders.push(
    startWebhookSender({ pool, secrets, dispatcher, tickMs: 20, pause, onProblem, ...more }),
  );
}
async function receiver(...statuses: number[]) {
  const started = await startReceiver(...statuses);
  closing.push(started.close);
  return started;
}
const account = () => pages.user?.accountId ?? "";
const query = (text: string, ...values: unknown[]) => pages.site.deps.pool.query(text, values);
let told = 0;
async function tell(kind = "payment_failed"): Promise<void> {
  const data = { payment: "pay_1", points: "12.5", amount: 100, currency: "eur" };
  await query(
    "insert into notification (account_id, kind, dedupe_key, data) values ($1, $2, $3, $4)",
    account(),
    kind,
    `test:${++told}`,
    data,
  );
  await Promise.all([1, 2, 3].map(() => handOut(pages.site.deps.pool, true)));
}
const add = async (url: string, kinds = ["payment_failed"]) =>
  (await pages.call("createWebhook", { body: { url, kinds } })).json;
const log = async (id: string) =>
  (await pages.call("listWebhookDeliveries", { id })).json.deliveries;
const dueNow = () => query("update webhook_delivery set next_attempt_at = now()");

test("an event is delivered once by any number of processes, and the library of Standard Webhooks verifies it; a rotated secret too", async () => {
  const own = await receiver(200);
  const { webhook, secret } = await add(own.url);
  for (let n = 0; n < 3; n++) start();
  await tell();
  await tell("payment_paid");
  await expect.poll(() => own.received.length).toBe(1);
  const verify = (key: string, at = 0) => {
    const { headers, body } = own.received[at] ?? { headers: {}, body: "" };
    return new Webhook(key).verify(body, headers as Record<string, string>);
  };
  expect(verify(secret)).toMatchObject({
    type: "payment.failed",
    account: account(),
    data: { payment: "pay_1", points: "12.5" },
  });
  expect(() => verify(`whsec_${Buffer.alloc(32).toString("base64")}`)).toThrow();
  const rotated = await pages.call("rotateWebhook", { id: webhook.id });
  expect(rotated.json.secret).not.toBe(secret);
  expect(JSON.stringify((await pages.call("listWebhooks")).json)).not.toContain("whsec_");
  await tell();
  await expect.poll(() => own.received.length).toBe(2);
  for (const key of [secret, rotated.json.secret]) expect(verify(key, 1)).toBeTruthy();
  await query("update webhook_endpoint set old_until = now()");
  await tell();
  await expect.poll(() => own.received.length).toBe(3);
  expect(() => verify(secret, 2)).toThrow();
  expect(verify(rotated.json.secret, 2)).toBeTruthy();
  expect(problems).toEqual([]);
});

test("a refused delivery is sent again later, and again by hand, under the same id; a test is a delivery too", async () => {
  const own = await receiver(500, 200);
  const { webhook } = await add(own.url);
  start();
  await tell();
  await expect
    .poll(() => log(webhook.id))
    .toMatchObject([{ attempts: 1, lastAnswer: "500", state: "waiting", kind: "payment_failed" }]);
  expect((await pages.call("listWebhooks")).json.webhooks[0].failingSince).not.toBeNull();
  await dueNow();
  await expect.poll(() => log(webhook.id)).toMatchObject([{ attempts: 2, state: "sent" }]);
  expect((await pages.call("listWebhooks")).json.webhooks[0].failingSince).toBeNull();
  const [{ id }] = await log(webhook.id);
  expect((await pages.call("redeliverWebhook", { id })).status).toBe(200);
  await expect.poll(() => own.received.length).toBe(3);
  expect(new Set(own.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(own.received.map(({ body }) => body)).size).toBe(1);
  await pages.call("testWebhook", { id: webhook.id });
  await expect.poll(() => own.received.length).toBe(4);
  expect(JSON.parse(own.received[3]?.body ?? "")).toMatchObject({ type: "webhook.test", data: {} });
});

test("an endpoint that is gone, or accepts nothing for days, is paused once and its owner told; resumed, it gets what comes then", async () => {
  const [gone, broken] = [await receiver(410, 200), await receiver(503)];
  const [first, second] = [await add(gone.url), await add(broken.url)];
  await query(
    "update webhook_endpoint set failing_since = now() - interval '73 hours' where id = $1",
    second.webhook.id,
  );
  for (let n = 0; n < 2; n++) start();
  await tell();
  const stored = async () =>
    (await pages.call("listWebhooks")).json.webhooks.map(
      ({ pausedAt }: { pausedAt: string | null }) => pausedAt !== null,
    );
  await expect.poll(stored).toEqual([true, true]);
  await tell();
  const notified = (await pages.call("listNotifications")).json.notifications;
  const paused = notified.filter(({ kind }: { kind: string }) => kind === "webhook_paused");
  expect(paused).toHaveLength(2);
  expect(paused.map(({ text }: { text: string }) => text).join()).toContain(gone.url);
  expect((await pages.call("testWebhook", { id: first.webhook.id })).status).toBe(400);
  await pages.call("resumeWebhook", { id: first.webhook.id });
  await tell();
  await expect.poll(() => gone.received.length).toBe(2);
});

test("an account whose endpoints all hang takes eight places, and another's webhook is sent at once", async () => {
  const hanging = await receiver(0);
  for (let n = 0; n < 5; n++) await add(`${hanging.url}/${n}`);
  for (let n = 0; n < 8; n++) await tell();
  start({ tickMs: 20 });
  await expect.poll(() => hanging.received.length).toBe(8);
  await pages.signInNew();
  const own = await receiver(200);
  await add(own.url);
  await tell();
  await expect.poll(() => own.received.length).toBe(1);
  expect(hanging.received.length).toBe(8);
});

test("inner addresses are refused before a connection is made, and look like any silence", async () => {
  const inner = await receiver(200);
  const guarded = createGuardedAgent();
  closing.push(() => guarded.destroy());
  const { webhook } = await add(inner.url);
  await add("http://169.254.169.254/latest/meta-data");
  start({ dispatcher: guarded });
  await tell();
  await expect
    .poll(() => log(webhook.id), { timeout: 9000 })
    .toMatchObject([{ attempts: 1, lastAnswer: "no answer" }]);
  expect(inner.received).toEqual([]);
  for (const url of ["ftp://example.com", "file:///etc/passwd", "nothing", ""])
    expect(
      (await pages.call("createWebhook", { body: { url, kinds: ["balance_low"] } })).status,
    ).toBe(400);
}, 15_000);

test("an account has at most five, and nobody reaches another account's", async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      pages.call("createWebhook", {
        body: { url: `https://example.com/${n}`, kinds: ["balance_low"] },
      }),
    ),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(5);
  const id = made.find(({ status }) => status === 201)?.json.webhook.id;
  await pages.call("testWebhook", { id });
  const [delivery] = await log(id);
  await pages.signInNew();
  const url = "https://example.com/mine";
  const names = ["pauseWebhook", "resumeWebhook", "rotateWebhook", "testWebhook"] as const;
  for (const name of [...names, "removeWebhook", "listWebhookDeliveries"] as const)
    expect([name, (await pages.call(name, { id })).status]).toEqual([name, 404]);
  expect((await pages.call("changeWebhook", { id, body: { url } })).status).toBe(404);
  for (const other of [delivery.id, "x", "9".repeat(30)])
    expect((await pages.call("redeliverWebhook", { id: other })).status).toBe(404);
  expect((await pages.call("listWebhooks")).json).toEqual({ webhooks: [] });
});

test("a signature holds for its endpoint, id, time and body alone, and no secret is stored in the open", async () => {
  const [one, two] = [await receiver(200), await receiver(200)];
  const [first, second] = [await add(one.url), await add(two.url)];
  start();
  await tell();
  await expect.poll(() => one.received.length + two.received.length).toBe(2);
  const { headers, body } = one.received[0] ?? { headers: {}, body: "" };
  const sent: Record<string, string> = {};
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
    sent[name] = String(new Headers(headers as Record<string, string>).get(name));
  const verify = (secret: string, changed: Record<string, string> = {}, text = body) =>
    new Webhook(secret).verify(text, { ...sent, ...changed });
  expect(verify(first.secret)).toBeTruthy();
  expect(() => verify(second.secret)).toThrow();
  expect(() => verify(first.secret, {}, body.replace("12.5", "99.5"))).toThrow();
  expect(() => verify(first.secret, { "webhook-id": "msg_other" })).toThrow();
  const later = String(Number(sent["webhook-timestamp"]) + 60);
  expect(() => verify(first.secret, { "webhook-timestamp": later })).toThrow();
  const { rows } = await query("select t::text as row from webhook_endpoint t");
  const stored = rows.map(({ row }) => row).join("\n");
  for (const { secret } of [first, second]) {
    expect(stored).not.toContain(secret.slice(6));
    expect(stored).not.toContain(Buffer.from(secret.slice(6), "base64").toString("hex"));
  }
});
