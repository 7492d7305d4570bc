/** What operators are told of the installation, and that nobody else is told. */
import type pg from "pg";
import { expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { OwnPages } from "@/testing/pages-api/own-pages";
import { opened } from "@/testing/unit/opened";
import { recordAction } from "../accounts/actions";
import { changeWebhook } from "../commands/webhooks";
import { operatorKinds } from "../contract/states";
import { inTransaction } from "../db/transaction";
import { handOut } from "./hand-out";
import { claimMails } from "./mail-queue";
import { SpooledEnds, watchSpool } from "./spool-watch";
import { claimWebhooks } from "./webhook-queue";

const query = (text: string, ...values: unknown[]) => owner.query(text, values);
/** As the commands record it. */
const wishedBy = (actor: string, id: string) =>
  inTransaction(pages.site.deps.pool, (client) =>
    recordAction(client, actor, "webhook.create", id, { after: { url: "https://example.com/" } }),
  );
async function person() {
  const user = await pages.signInVerified();
  await query(
    `insert into webhook_endpoint (id, account_id, url, kinds, sealed)
     values ($1, $2, 'https://example.com/', $3, sha256('s'))`,
    `whk_${user.accountId}`,
    user.accountId,
    [...operatorKinds, "device_new"],
  );
  await wishedBy(user.userId, `whk_${user.accountId}`);
  return user;
}

const pages = await opened(OwnPages.open());
const owner = await opened(connect(pages.site.databaseUrl));
const customer = await person();
const operator = await person();
await query('update "user" set is_operator = true where id = $1', operator.userId);

const toldOf = async (kind: string) =>
  (await query("select account_id, user_id, data from notification where kind = $1", kind)).rows;
const ownOf = (data: object) => ({
  account_id: operator.accountId,
  user_id: operator.userId,
  data: expect.objectContaining(data),
});

test("a channel that is down is told once, by the mail and the webhooks of operators alone, and is over once it is back", async () => {
  const { pool } = pages.site.deps;
  await query(
    "insert into channel (id, name, protocol, base_url, models) values ('ch_x', 'x', 'openai', 'http://x', '{}')",
  );
  await query("insert into channel_watch (channel_id, down_since) values ('ch_x', now())");
  const data = { channel: "ch_x", name: "Main", credential: null, error: "status 503: no code" };
  const told = JSON.stringify({ ...data, since: "2026-01-02T03:04:05Z" });
  for (let count = 0; count < 2; count++)
    await pool.query("select notification_to_operators('channel_down', 'ch_x/:1', $1)", [told]);
  expect(await toldOf("channel_down")).toEqual([ownOf(data)]);
  await handOut(pool, true);
  expect(await claimMails(pool, 100)).toMatchObject([{ userId: operator.userId }]);
  expect(await claimWebhooks(pool, 100)).toMatchObject([
    { accountId: operator.accountId, kind: "channel_down", data },
  ]);
  const shown = async () => (await pages.call("listNotifications")).json.notifications;
  expect(await shown()).toMatchObject([
    {
      kind: "channel_down",
      title: "A channel is down",
      text: "Main has been down since 2026-01-02 03:04 UTC: status 503: no code. It is tested until it answers.",
      path: "/admin/channels",
      isOver: false,
    },
  ]);
  await query("update channel_watch set down_since = null");
  expect(await shown()).toMatchObject([{ isOver: true }]);
});

test("an audit that fails is told in the commit of its report, and one that does not is not", async () => {
  const run = `insert into ledger_audit_run (actor, finished_at, is_clean, accounts, entries, broken)
    values ('cli', now(), $1, 1, 1, $2)`;
  await query(run, true, "[]");
  expect(await toldOf("audit_failed")).toEqual([]);
  await pages.site.deps.pool.query(run, [false, '[{"name":"a"},{"name":"b"}]']);
  expect(await toldOf("audit_failed")).toEqual([ownOf({ failed: 2 })]);
});

test("ends that waited on a disk are told once the database answers", async () => {
  let isDown = true;
  const pool = {
    query: (async (text: string, values: unknown[]) => {
      if (isDown) throw new Error("the database does not answer");
      return pages.site.deps.pool.query(text, values);
    }) as unknown as pg.Pool["query"],
  };
  const problems: unknown[] = [];
  const place = { pool, nodeId: "node_1" };
  const spooled = new SpooledEnds();
  const watch = watchSpool(spooled, place, (problem) => problems.push(problem), 5);
  for (let count = 0; count < 2; count++) spooled.note();
  await expect.poll(() => problems.length).toBe(1);
  isDown = false;
  await expect.poll(() => toldOf("spool_used")).toEqual([ownOf({ node: "node_1", ends: 2 })]);
  await watch.close();
});

test("what is about a person goes to no webhook that another member or a key of the account has added", async () => {
  const { pool } = pages.site.deps;
  const { accountId, userId } = customer;
  const others = ["user_other", "mkey_other", "cli"].map((actor) => ({
    actor,
    id: `whk_${actor}`,
  }));
  for (const { actor, id } of others) {
    await query(
      `insert into webhook_endpoint (id, account_id, url, kinds, sealed)
       values ($1, $2, 'https://example.com/', '{device_new,payment_paid}', sha256('s'))`,
      id,
      accountId,
    );
    await wishedBy(actor, id);
  }
  const tell = (kind: string, of: string | null) =>
    query(
      "insert into notification (account_id, user_id, kind, dedupe_key, data) values ($1, $2, $3, $3, '{}')",
      ...[accountId, of, kind],
    );
  await tell("device_new", userId);
  await tell("payment_paid", null);
  await handOut(pool, true);
  const { rows } = await query(
    `select n.kind, d.endpoint_id as id from webhook_delivery d join notification n on n.id = d.notification_id
      where n.account_id = $1 order by 1, 2`,
    accountId,
  );
  expect(rows).toEqual(
    [
      { kind: "device_new", id: `whk_${accountId}` },
      { kind: "device_new", id: "whk_cli" },
      ...others
        .map(({ id }) => ({ kind: "payment_paid", id }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    ].sort((a, b) => (a.kind + a.id < b.kind + b.id ? -1 : 1)),
  );
  // Nor when the address becomes another's: what was sent before cannot be sent again there.
  const moved = { id: `whk_${accountId}`, accountId, url: "https://other.example/" };
  await changeWebhook(pages.site.deps, "user_other", moved);
  expect(
    (await query("select from webhook_delivery where endpoint_id = $1", moved.id)).rowCount,
  ).toBe(0);
});

test("only operators choose these kinds", async () => {
  const kinds = async () =>
    (await pages.call("showNotificationChoices")).json.kinds.map(
      ({ kind }: { kind: string }) => kind,
    );
  expect(await kinds()).not.toContain("channel_down");
  pages.user = { ...operator, isOperator: true };
  expect(await kinds()).toEqual(expect.arrayContaining([...operatorKinds]));
  expect(customer.isOperator).toBe(false);
});
