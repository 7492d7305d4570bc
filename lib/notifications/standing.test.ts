/** What was told and is no longer so is told to nobody else. */
import { expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { OwnPages } from "@/testing/pages-api/own-pages";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import { setPrice, withdrawPrice } from "../commands/prices";
import { findAll } from "./find";
import { handOut } from "./hand-out";
import { claimMails } from "./mail-queue";
import { claimWebhooks } from "./webhook-queue";

const pages = await opened(OwnPages.open());
const client = await opened(connect(pages.site.databaseUrl));

const query = (text: string, ...values: unknown[]) => client.query(text, values);
const person = () => pages.signInVerified();
const shown = async (kind: string) =>
  (await pages.call("listNotifications")).json.notifications.filter(
    (each: { kind: string }) => each.kind === kind,
  );
const mailedOf = async (userId: string) =>
  (await claimMails(pages.site.deps.pool, 100))
    .filter((mail) => mail.userId === userId)
    .flatMap(({ about }) => about.map(({ data }) => data));

const effectiveAt = () => new Date(Math.trunc(Date.now() / 1000) * 1000 + 9 * 86_400_000 + 25);
const announce = (output: bigint, at: Date) =>
  setPrice(pages.site.deps, "test", { model: "RelayV1", output, effectiveAt: at });

test("a price to come is told from → to; once replaced or withdrawn, neither list, mail nor webhook has it", async () => {
  const { accountId, userId } = await person();
  await query(
    "insert into usage_day (account_id, day, api_key_id, model, requests, input_tokens, output_tokens, amount) values ($1, (now() at time zone 'UTC')::date, '', 'RelayV1', 1, 1, 1, 1)",
    accountId,
  );
  await query(
    `insert into webhook_endpoint (id, account_id, url, kinds, sealed) values ($1, $2, 'https://example.com/', '{price_change}', sha256('s'))`,
    `whk_${accountId}`,
    accountId,
  );
  const at = effectiveAt();
  await announce(700_000_000n, at);
  await findAll(client);
  const [first] = await shown("price_change");
  expect(first).toMatchObject({ title: "Prices change", isOver: false });
  expect(first.text).toMatch(/: RelayV1, from [-\d]+ [:\d]+ UTC: output [\d,.]+ → 700\.$/);
  await handOut(pages.site.deps.pool, true);

  const { id } = await announce(650_000_000n, at);
  await findAll(client);
  await handOut(pages.site.deps.pool, true);
  const replaced = await shown("price_change");
  expect(replaced).toHaveLength(1);
  expect(replaced[0].text).toContain("→ 650.");
  const told = (await claimWebhooks(pages.site.deps.pool, 32)).map(({ data }) => data);
  const to = { to: { output_points: "650" }, from: { input_points: expect.any(String) } };
  expect(told).toHaveLength(2);
  expect(told.find((data) => data !== null)).toMatchObject({ models: [to], more: 0 });
  expect((await mailedOf(userId)).filter((data) => data !== null)).toHaveLength(1);

  await withdrawPrice(pages.site.deps, "test", { id });
  await findAll(client);
  expect(await shown("price_change")).toEqual([]);
  await query("update notification_mail set lease_until = null where user_id = $1", userId);
  expect(await mailedOf(userId)).toEqual([null, null]);
});

test("what was mended since is marked on the page, and waits in no mail", async () => {
  const { accountId, userId } = await person();
  const tell = (kind: string, data: object, user: string | null = null) =>
    query(
      "insert into notification (account_id, user_id, kind, dedupe_key, data) values ($1, $2, $3, $4, $5)",
      accountId,
      user,
      kind,
      `${kind}:${accountId}`,
      data,
    );
  const key = `key_${accountId}`;
  await query(
    "insert into api_key (id, account_id, name, key_hash, hint, paused_at, paused_spend, expires_at) values ($1::text, $2, 'k', sha256(convert_to($1::text, 'UTF8')), 'h', now(), 2000000, date_trunc('second', now()) + interval '3 days')",
    key,
    accountId,
  );
  const { rows } = await query("select expires_at from api_key where id = $1", key);
  const expiresAt = rows[0]?.expires_at.toISOString().replace(".000", "");
  await query("update account set low_balance_notice = 1 where id = $1", accountId);
  const used = { percent: 80, spent_points: "8", budget_points: "10" };
  const budgets = { ...used, limit: "day" };
  await query(
    "insert into member_budget (account_id, user_id, kind, budget, spent, zone, starts_at, ends_at) values ($1, $2, 'day', 10, 8, 'UTC', now(), now() + interval '1 day')",
    accountId,
    userId,
  );
  await query("delete from notification where account_id = $1", accountId);
  await tell("balance_low", { available_points: "1", below_points: "90000", days_left: null });
  await tell("key_paused", {
    keys: [{ id: key, name: "k", spent_points: "2", hourly_max_points: "1" }],
  });
  await tell("key_expiring", {
    keys: [{ id: key, name: "k", kind: "api", expires_at: expiresAt }],
    more: 0,
  });
  await tell("member_budget", { members: [{ id: userId, email: "e", ...budgets }], more: 0 });
  await query(
    "insert into tag_budget (account_id, name, value, kind, budget, spent, zone, starts_at, ends_at) values ($1, 'team', 'a', 'day', 10, 8, 'UTC', now(), now() + interval '1 day')",
    accountId,
  );
  await tell("tag_budget", { tags: [{ tag: "team=a", ...budgets }], more: 0 });
  await tell(
    "own_budget",
    { id: userId, email: "e", ...budgets, renews_at: `${dayFromNow(9)}T00:00:00Z` },
    userId,
  );
  const over = async () => {
    const { notifications } = (await pages.call("listNotifications")).json;
    return Object.fromEntries(
      notifications.map(({ kind, isOver }: { kind: string; isOver: boolean }) => [kind, isOver]),
    );
  };
  const kinds = [
    "balance_low",
    "key_paused",
    "key_expiring",
    "member_budget",
    "own_budget",
    "tag_budget",
  ];
  expect(await over()).toEqual(Object.fromEntries(kinds.map((kind) => [kind, false])));

  await query(
    "update api_key set paused_at = null, paused_spend = null, expires_at = null where id = $1",
    key,
  );
  await query("update member_budget set budget = 100 where user_id = $1", userId);
  await query("update tag_budget set budget = 100 where account_id = $1", accountId);
  await query(
    "update notification set data = data || '{\"below_points\": \"0\"}' where account_id = $1 and kind = 'balance_low'",
    accountId,
  );
  expect(await over()).toEqual(Object.fromEntries(kinds.map((kind) => [kind, true])));
  await handOut(pages.site.deps.pool, true);
  const mailed = await mailedOf(userId);
  expect(mailed.length).toBeGreaterThan(0);
  expect(mailed.every((data) => data === null)).toBe(true);
});
