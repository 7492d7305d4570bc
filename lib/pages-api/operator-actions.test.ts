import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { type OperatorDesk, openOperatorDesk } from "@/testing/pages-api/operator-desk";
import { type Action, recordAction } from "../accounts/actions";
import { inDatabaseTransaction } from "../db/transaction";

let desk: OperatorDesk;
beforeAll(async () => {
  desk = await openOperatorDesk();
  const record = (action: Action) =>
    inDatabaseTransaction(desk.site.deps.database, (transaction) =>
      recordAction(transaction, action),
    );
  for (let n = 0; n < 60; n++) {
    await record({
      actor: desk.operator.userId,
      action: "test.act",
      subject: desk.operator.accountId,
      before: { n },
      after: { n: n + 1 },
    });
  }
  await record({
    actor: "cli",
    action: "price.set",
    subject: "RelayV1",
    detail: { note: '=1+1,"x"' },
  });
});
afterAll(() => desk.close());

const list = async (query: string) =>
  (await desk.ask("listActions", { query })).json as {
    actions: { seq: string; action: string }[];
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
    before: { n: 59 },
    after: { n: 60 },
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
  expect((await list("?actor=Operator@example.com&action=test")).actions).toHaveLength(50);
  expect((await list("?subject=operator@example.com")).actions).toHaveLength(50);
  expect((await desk.ask("listActions", { query: "?cursor=x" })).status).toBe(400);
});

test("the file contains every row of the filter and no formula", async () => {
  const { text } = await desk.ask("downloadActions", { query: "?action=test" });
  expect(text.trim().split("\r\n")).toHaveLength(61);
  const priced = await desk.ask("downloadActions", { query: "?action=price" });
  expect(priced.text).toContain("price.set");
  expect(priced.text).not.toMatch(/(^|,)=1/m);
});

test("the page shows whether the log's chain is intact and where it breaks", async () => {
  expect((await desk.ask("checkChain")).json).toMatchObject({ ok: true, broken: null });
  const client = await connect(desk.site.databaseUrl);
  await client.query("set session_replication_role = replica");
  await client.query("update operator_action set actor = 'cli' where seq = 5");
  await client.query("set session_replication_role = default");
  await client.end();
  expect((await desk.ask("checkChain")).json).toMatchObject({
    ok: false,
    rows: 4,
    broken: { seq: "5", why: "changed" },
  });
});
