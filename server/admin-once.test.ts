/** Changes by API with an Idempotency-Key, over HTTP against the process as it is composed. */
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { markingEffect } from "@/lib/accounts/once-effect";
import { createManagementKey } from "@/lib/commands/management-keys";
import { createVouchers } from "@/lib/commands/vouchers";
import { createWebhook } from "@/lib/commands/webhooks";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import { accountApiRows, operatorApiRows } from "@/lib/contract/key-rows";
import { managementScopes } from "@/lib/contract/states";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { askAt, errorOf, type ManagedAnswer, newManager } from "@/testing/composition/managers";
import { newOperator, newOperatorKey, onlyOperatorKey } from "@/testing/composition/operators";
import { serveComposition } from "@/testing/composition/served-composition";
import { ownerUrlOf } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";

let key: { id: string; secret: string };
const composed = await opened(serveComposition());
const operator = await newOperator(composed);
beforeEach(async () => {
  key = await onlyOperatorKey(composed, operator);
});

const once = (name: string, path: string, body?: object, secret = key.secret) =>
  askAt(composed, secret, "POST", `/v1/admin/${path}`, body, { "idempotency-key": name });
const batch = (name: string) => ({ name, points: 5, count: 2, expires_at: null });
const batches = (name: string) => composed.database.voucherBatch.count({ where: { name } });
const recorded = (action: string) =>
  composed.database.operatorAction.count({ where: { action, actor: key.id } });
const rowOf = (name: string) => ({
  accountId_key_askedBy: { accountId: operator.accountId, key: name, askedBy: key.id },
});

test("20 requests at once with one Idempotency-Key make one batch, and all get its codes", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => once("many", "vouchers", batch("many"))),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  const [first] = answers;
  expect(first?.json.codes).toHaveLength(2);
  for (const { json } of answers) expect(json).toEqual(first?.json);
  expect([await batches("many"), await recorded("voucher.create")]).toEqual([1, 1]);
  const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
  expect(replayed).toHaveLength(19);
});

test("another body or address with the same Idempotency-Key is refused, and so is the same person's other key", async () => {
  const terms = { requests_per_minute: 30 };
  const path = (id: string) => `accounts/${id}/limits`;
  expect((await once("same", path(composed.accountId), terms)).status).toBe(200);
  const reused = [422, "idempotency_key_reused", null];
  expect(
    errorOf(await once("same", path(composed.accountId), { requests_per_minute: 31 })),
  ).toEqual(reused);
  expect(errorOf(await once("same", path(operator.accountId), terms))).toEqual(reused);
  expect(errorOf(await once("same", "vouchers", batch("same")))).toEqual(reused);
  const other = await newOperatorKey(composed, operator);
  expect(errorOf(await once("same", path(composed.accountId), terms, other.secret))).toEqual(
    reused,
  );
  // Another request of that key is none of this one's.
  expect((await once("same", path(operator.accountId), terms, other.secret)).status).toBe(200);
  expect(errorOf(await once("x".repeat(256), "vouchers", batch("bad")))).toEqual([
    400,
    "invalid_value",
    null,
  ]);
  expect(await batches("bad")).toBe(0);
});

test("the stored answer is sealed: the database has no code of a voucher", async () => {
  const { json } = await once("sealed", "vouchers", batch("sealed"));
  const row = await composed.database.idempotentRequest.findUniqueOrThrow({
    where: rowOf("sealed"),
  });
  const stored = Buffer.from(row.body ?? []).toString("latin1");
  expect(stored.length).toBeGreaterThan(50);
  for (const code of json.codes) expect(stored).not.toContain(code);
  expect(stored).not.toContain("batchId");
});

test("a refusal is not stored: the same request works once its cause is gone", async () => {
  const body = { points: -500, reason: "Back", ref: "back" };
  const take = () => once("later", `accounts/${composed.accountId}/adjust`, body);
  expect((await take()).json.error.code).toBe("insufficient_points");
  const grant = { points: 500, reason: "First", ref: "first" };
  expect((await once("first", `accounts/${composed.accountId}/adjust`, grant)).status).toBe(200);
  const [taken, again] = [await take(), await take()];
  expect([taken.status, again.status]).toEqual([200, 200]);
  expect(again.json).toEqual(taken.json);
});

test("a process that died before the change leaves it to the retry; after it, it is done once", async () => {
  for (const tookEffect of [false, true]) {
    const name = `died-${tookEffect}`;
    await once(name, "vouchers", batch(name));
    // As the process leaves it that is killed before the answer is stored.
    const left = { state: "running", nodeId: "gone", body: null, tookEffect };
    await composed.database.idempotentRequest.update({ where: rowOf(name), data: left });
    const again = await once(name, "vouchers", batch(name));
    // Nobody may delete the first batch here, so one that is made anew is the second.
    expect(await batches(name)).toBe(tookEffect ? 1 : 2);
    if (tookEffect) {
      expect(errorOf(again)).toEqual([409, "idempotency_finished", null]);
      expect(again.json.error.message).toContain("took effect");
    } else expect(again.status).toBe(201);
  }
});

/** The names under which answers have what they show once. */
const shownOnce = ["secret", "link", "codes", "key"];

/** What the rows that show something once are asked; the id is of a webhook. */
const secretRows: Readonly<Record<string, object | null>> = {
  createApiKey: { name: "made" },
  createInvitation: { role: "developer" },
  "account.createWebhook": { url: "https://example.com/made", kinds: ["balance_low"] },
  "account.rotateWebhook": null,
  "operator.createInvite": { note: "made", points: 5, days: 3 },
  "operator.createVouchers": batch("made"),
};

const isShown = (schema: unknown) =>
  schema instanceof z.ZodString ||
  (schema instanceof z.ZodArray && schema.element instanceof z.ZodString);

const rows: EndpointRow[] = [...Object.values(endpoints), ...accountApiRows, ...operatorApiRows];
const showingRows = rows.filter(
  ({ method, response }) =>
    method !== "GET" &&
    response instanceof z.ZodObject &&
    shownOnce.some((name) => isShown(response.shape[name])),
);

/** No answer is stored meanwhile, as if the process were killed just before. */
async function withoutStoring(work: () => Promise<void>): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrlOf(pagesDeps().databaseUrl) });
  await owner.connect();
  await owner.query(`
    create function refuse_answer() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create trigger killed before update on idempotent_request for each row
      when (new.state = 'answered') execute function refuse_answer()`);
  await work();
  await owner.query("drop function refuse_answer cascade");
  await owner.end();
}

test("what is shown once reaches the retry, also when the process died before the answer was stored", async () => {
  expect(showingRows.map(({ name }) => name).sort()).toEqual(Object.keys(secretRows).sort());
  const { userId, accountId } = operator;
  const wanted = { accountId, name: "all", scopes: managementScopes };
  const manager = await createManagementKey(composed, userId, wanted);
  const webhook = { accountId, url: "https://example.com/hook", kinds: ["balance_low"] } as const;
  const hook = await createWebhook(pagesDeps(), userId, webhook);
  const first = new Map<string, ManagedAnswer>();
  const ask = (row: EndpointRow) =>
    askAt(
      composed,
      row.admits[0] === "operatorKey" ? key.secret : manager.secret,
      row.method,
      row.path.replace("{id}", hook.webhook.id),
      secretRows[row.name] ?? undefined,
      { "idempotency-key": `shown by ${row.name}` },
    );
  await withoutStoring(async () => {
    for (const row of showingRows) first.set(row.name, await ask(row));
  });
  const where = { key: { startsWith: "shown by" } };
  const dead = { state: "running", tookEffect: true };
  expect(await composed.database.idempotentRequest.count({ where: { ...where, ...dead } })).toBe(6);
  await composed.database.idempotentRequest.updateMany({ where, data: { nodeId: "gone" } });
  const before = await composed.database.operatorAction.count();
  for (const row of showingRows) {
    const [made, again, replayed] = [first.get(row.name), await ask(row), await ask(row)];
    const shown = shownOnce.map((name) => made?.json[name]).filter((each) => each !== undefined);
    expect([row.name, made?.status, shown.length]).toEqual([row.name, row.status ?? 200, 1]);
    expect([row.name, again.json]).toEqual([row.name, made?.json]);
    expect(replayed.json).toEqual(again.json);
  }
  expect(await composed.database.operatorAction.count()).toBe(before);
});

test("what a request made that died is given to no other key", async () => {
  const name = "of another";
  await once(name, "vouchers", batch(name));
  const left = { state: "running", nodeId: "gone" };
  await composed.database.idempotentRequest.update({ where: rowOf(name), data: left });
  const other = await newOperatorKey(composed, operator);
  const refused = await once(name, "vouchers", batch(name), other.secret);
  expect(errorOf(refused)).toEqual([422, "idempotency_key_reused", null]);
  expect(await batches(name)).toBe(1);
});

test("an attempt that another one replaced commits nothing", async () => {
  const name = "replaced";
  await once(name, "vouchers", batch("of the newer one"));
  const { accountId } = operator;
  const operationId = crypto.randomUUID();
  const older = { accountId, key: name, operationId, made: null, seal: Uint8Array.from };
  const terms = { name, points: 5_000_000n, count: 1, expiresAt: null };
  const late = markingEffect(older, () => createVouchers(pagesDeps(), "test", terms));
  await expect(late).rejects.toMatchObject({ code: "idempotency_in_progress" });
  expect(await batches(name)).toBe(0);
});

test("a change of an account by a management key is once per Idempotency-Key too", async () => {
  const manager = await newManager(composed, composed.accountId);
  const body = { url: "https://example.com/once", kinds: ["balance_low"] };
  const make = () =>
    askAt(composed, manager.secret, "POST", "/v1/account/webhooks", body, {
      "idempotency-key": "hook",
    });
  const answers = await Promise.all([make(), make(), make()]);
  expect(new Set(answers.map(({ json }) => json.secret)).size).toBe(1);
  const made = { where: { accountId: composed.accountId, url: body.url } };
  expect(await composed.database.webhookEndpoint.count(made)).toBe(1);
});
