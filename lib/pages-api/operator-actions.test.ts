import { beforeAll, expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { openOperatorClient } from "@/testing/pages-api/operator-client";
import { opened } from "@/testing/unit/opened";
import { type Recorded, recordAction } from "../accounts/actions";
import { setLiveSetting } from "../commands/settings";
import type { AuditAction } from "../contract/audit-actions";
import { newId } from "../crypto/ids";
import { inDatabaseTransaction } from "../db/transaction";

const client = await opened(openOperatorClient());
const record = (actor: string, action: AuditAction, subject: string, recorded: Recorded) =>
  inDatabaseTransaction(client.site.deps.database, (transaction) =>
    recordAction(transaction, actor, action, subject, recorded),
  );
beforeAll(async () => {
  for (let n = 0; n < 60; n++) {
    await record(client.operator.userId, "task.check", client.operator.accountId, {
      before: { value: n },
      after: { value: n + 1 },
    });
  }
  await record("cli", "price.set", "RelayV1", { detail: { note: '=1+1,"x"' } });
});

const list = async (query: string) =>
  (await client.call("listActions", { query })).json as {
    actions: { seq: string; action: string; names: Record<string, string> }[];
    nextCursor: string | null;
  };

test("actions are listed newest first with actor, target and both values, page by page", async () => {
  const first = await list("");
  expect(first.actions[0]).toMatchObject({
    actor: "cli",
    actorEmail: null,
    action: "price.set",
    detail: { note: '=1+1,"x"' },
    before: null,
  });
  expect(first.actions[1]).toMatchObject({
    actorEmail: "operator@example.com",
    subjectEmail: "operator@example.com",
    before: { value: 59 },
    after: { value: 60 },
    detail: {},
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const second = await list(`?cursor=${first.nextCursor}`);
  expect([...first.actions, ...second.actions].map(({ seq }) => Number(seq))).toEqual(
    Array.from(
      { length: first.actions.length + second.actions.length },
      (_, n) => Number(first.actions[0]?.seq) - n,
    ),
  );
});

test("actions are filtered by actor, action, target and time", async () => {
  const day = new Date().toISOString().slice(0, 10);
  for (const query of [
    "?actor=cli",
    "?action=price",
    "?action=price.set",
    "?subject=RelayV1",
    `?subject=RelayV1&from=${day}&to=${day}`,
  ]) {
    expect(
      (await list(query)).actions.map(({ action }) => action),
      query,
    ).toEqual(["price.set"]);
  }
  for (const query of [
    "?actor=nobody",
    "?action=p%25",
    "?action=____",
    "?from=2020-01-01&to=2020-01-02",
  ]) {
    expect((await list(query)).actions, query).toEqual([]);
  }
  expect((await list("?actor=Operator@example.com&action=task")).actions).toHaveLength(50);
  expect((await list("?subject=operator@example.com")).actions).toHaveLength(50);
  expect((await client.call("listActions", { query: "?cursor=x" })).status).toBe(400);
});

test("the file contains every row of the filter and no formula", async () => {
  const { text } = await client.call("downloadActions", { query: "?action=task" });
  expect(text.trim().split("\r\n")).toHaveLength(61);
  const priced = await client.call("downloadActions", { query: "?action=price" });
  expect(priced.text).toContain("price.set");
  expect(priced.text).not.toMatch(/(^|,)=1/m);
});

test("a value without a name, as of a setting, is shown with both sides", async () => {
  const { site, operator } = client;
  for (const value of ["invite", "closed"])
    await setLiveSetting(site.deps, operator.userId, { name: "sign_up", value });
  const { json } = await client.call("listActions", { query: "?action=setting.set" });
  expect(json).toMatchObject({
    actions: [
      { subject: "sign_up", before: { value: "invite" }, after: { value: "closed" } },
      { subject: "sign_up", before: null, after: { value: "invite" } },
    ],
  });
});

test("the page shows whether the log's chain is intact and where it breaks", async () => {
  expect((await client.call("checkChain")).json).toMatchObject({ ok: true, broken: null });
  const database = await connect(client.site.databaseUrl);
  await database.query("set session_replication_role = replica");
  await database.query("update operator_action set actor = 'cli' where seq = 5");
  await database.query("set session_replication_role = default");
  await database.end();
  expect((await client.call("checkChain")).json).toMatchObject({
    ok: false,
    rows: 4,
    broken: { seq: "5", why: "changed" },
  });
});

test("an action on something with an id tells its name, and whose account it is", async () => {
  const { database } = client.site.deps;
  const id = "pkg_named";
  await database.topupPackage.create({
    data: { id, name: "Starter", points: 1n, amount: 1n, currency: "eur" },
  });
  await inDatabaseTransaction(database, (transaction) =>
    recordAction(transaction, "system", "package.change", id, {
      detail: { account: client.operator.accountId },
    }),
  );
  const { actions } = await list("?action=package.change");
  expect(actions[0]).toMatchObject({
    subject: id,
    subjectName: "Starter",
    subjectEmail: null,
    names: { [client.operator.accountId]: "operator@example.com" },
  });
});

test("whatever an action tells by its id has its name, and an unknown id has none", async () => {
  const { database } = client.site.deps;
  const [plan, group, gone] = [newId("plan"), newId("group"), newId("plan")];
  await database.accountGroup.create({ data: { id: group, name: "Studios", createdBy: "cli" } });
  const terms = { points: 1n, period: "month", groupId: group, createdBy: "cli" };
  await database.plan.create({ data: { id: plan, name: "Film", ...terms } });
  await record("cli", "account.plan", client.operator.accountId, {
    before: { plan: gone, planNext: null },
    after: { plan, planNext: plan },
    detail: { group },
  });
  const { actions } = await list("?action=account.plan");
  expect(actions[0]?.names).toEqual({ [plan]: "Film", [group]: "Studios" });
});
