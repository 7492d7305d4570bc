import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { byKey } from "@/testing/accounts/by-key";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import type { InputItem, ResponsesRequest } from "../contract/responses";
import { fixedSecrets } from "../crypto/secrets";
import { openPool } from "../db/pool";
import { hasPrevious, reseal } from "../db/reseal";
import { outputItemId, responseIdOf } from "../dialects/responses/item-ids";
import { sealedKeys } from "./account-key";
import { resolveInput } from "./resolve-input";
import {
  createStoredResponses,
  type NewResponse,
  REFERRED_BYTES_MAX,
  type StoredResponses,
} from "./stored-responses";

const [first, second] = [
  "first secret of thirty-two characters",
  "second secret of thirty-two ones",
];
let days = 30;
let accounts = 0;
/** Two accounts for each test. */
let mine: string;
let other: string;

const databaseUrl = await createTestDatabase();
const pool = await opened(openPool(databaseUrl, 4));
const under = (...secrets: [string, ...string[]]): StoredResponses =>
  createStoredResponses({ pool, secrets: fixedSecrets(...secrets), days: () => days });
const stored = under(first);
beforeEach(async () => {
  days = 30;
  mine = `acct_${++accounts}a`;
  other = `acct_${accounts}b`;
  await pool.query("insert into account (id) values ($1), ($2)", [mine, other]);
});

const say = (role: "user" | "assistant", content: string): InputItem => ({ role, content });
const newHex = () => randomBytes(16).toString("hex");

function saying(text: string, given: Partial<NewResponse> & { hex?: string } = {}): NewResponse {
  const { hex = newHex(), ...more } = given;
  const id = responseIdOf(hex);
  const content = [{ type: "output_text", text, annotations: [] }];
  return {
    id,
    model: "m",
    previousId: null,
    input: [say("user", `say ${text}`)],
    output: [{ id: outputItemId("message", hex, 0), type: "message", role: "assistant", content }],
    response: { id, object: "response", status: "completed" },
    ...more,
  };
}

async function kept(response: NewResponse, account = mine, by = stored): Promise<NewResponse> {
  expect(await by.keep(byKey(account), response)).toBe(true);
  return response;
}

const request = (more: object): ResponsesRequest => ({ model: "RelayV1", input: "next", ...more });
const resolved = async (more: object, account = mine) =>
  (await resolveInput(stored, byKey(account), request(more))).whole.input;
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { code: string; param: string }) => ({ code: error.code, param: error.param }),
  );
const agedBy = (id: string, age: string) =>
  pool.query("update stored_response set created_at = now() - $2::interval where id = $1", [
    id,
    age,
  ]);
const sums = async (account: string) =>
  (
    await pool.query(
      `select a.responses::int, a.bytes::int, count(s.id)::int as rows, coalesce(sum(s.bytes), 0)::int as total
         from response_account a left join stored_response s using (account_id) where a.account_id = $1 group by a.account_id`,
      [account],
    )
  ).rows[0];

test("a response is stored encrypted, and is read by its own account only", async () => {
  const { id } = await kept(saying("hello there"));
  expect(await stored.find(byKey(mine), id)).toMatchObject({
    id,
    input: [{ role: "user", content: "say hello there" }],
    output: [{ type: "message", content: [{ text: "hello there" }] }],
    response: { id, status: "completed" },
  });
  const { rows } = await pool.query("select * from stored_response where id = $1", [id]);
  const bytes = Buffer.concat([rows[0].input, rows[0].output, rows[0].response]);
  expect(bytes.includes("hello")).toBe(false);
  expect(await stored.find(byKey(other), id)).toBeNull();
  expect(await stored.chain(byKey(other), id)).toEqual({ isWhole: false, missing: id });
  expect(await stored.items(byKey(other), [{ id, isInput: true }])).toEqual([]);
  expect(await stored.remove(byKey(other), id)).toBe(false);
  expect(await stored.find(byKey(mine), id)).not.toBeNull();
  expect(await stored.find(byKey(mine), responseIdOf(newHex()))).toBeNull();
});

test("a removed response is gone at once, with its bytes", async () => {
  const one = await kept(saying("one"));
  await kept(saying("two"));
  expect(await stored.remove(byKey(mine), one.id)).toBe(true);
  expect(await stored.remove(byKey(mine), one.id)).toBe(false);
  expect(await stored.find(byKey(mine), one.id)).toBeNull();
  const { responses, bytes, rows, total } = await sums(mine);
  expect([responses, bytes]).toEqual([rows, total]);
  expect(rows).toBe(1);
});

test("a response is gone when it is too old, also before it is removed", async () => {
  const { id } = await kept(saying("old"));
  const young = await kept(saying("young"));
  await agedBy(id, "30 days 1 second");
  expect(await stored.find(byKey(mine), id)).toBeNull();
  expect(await refused(resolved({ previous_response_id: id }))).toEqual({
    code: "previous_response_not_found",
    param: "previous_response_id",
  });
  expect(await stored.removeExpired()).toBeGreaterThanOrEqual(1);
  expect(await sums(mine)).toMatchObject({ responses: 1, rows: 1 });
  days = 0;
  expect(stored.isOn()).toBe(false);
  expect(await stored.find(byKey(mine), young.id)).toBeNull();
  expect(await stored.keep(byKey(mine), saying("never"))).toBe(false);
  await stored.removeExpired();
  expect((await pool.query("select from stored_response")).rowCount).toBe(0);
});

test("a request continues what came before, and instructions are not among it", async () => {
  const one = await kept(saying("one"));
  const two = await kept(saying("two", { previousId: one.id }));
  expect(await resolved({ previous_response_id: two.id })).toMatchObject([
    { content: "say one" },
    { content: [{ text: "one" }] },
    { content: "say two" },
    { content: [{ text: "two" }] },
    { role: "user", content: "next" },
  ]);
  await stored.remove(byKey(mine), one.id);
  expect(await refused(resolved({ previous_response_id: two.id }))).toEqual({
    code: "previous_response_not_found",
    param: "previous_response_id",
  });
});

test("a reference is replaced by its item, of answers and of requests", async () => {
  const hex = newHex();
  const one = await kept(saying("one", { hex }));
  const output = { type: "item_reference", id: outputItemId("message", hex, 0) } as const;
  const input = { type: "item_reference", id: `msg_${hex}_i0` } as const;
  const items = [input, output, say("user", "go on")];
  const expected = [{ content: "say one" }, { content: [{ text: "one" }] }, { content: "go on" }];
  expect(await resolved({ input: items })).toMatchObject(expected);
  const two = await kept(saying("two", { input: items }));
  expect(await resolved({ previous_response_id: two.id })).toMatchObject([
    ...expected,
    { content: [{ text: "two" }] },
    { content: "next" },
  ]);
  expect(await refused(resolved({ input: items }, other))).toEqual({
    code: "previous_response_not_found",
    param: "input[0].id",
  });
  await stored.remove(byKey(mine), one.id);
  expect(await refused(resolved({ input: [say("user", "x"), output] }))).toEqual({
    code: "previous_response_not_found",
    param: "input[1].id",
  });
  expect(await refused(resolved({ previous_response_id: two.id }))).toEqual({
    code: "previous_response_not_found",
    param: "previous_response_id",
  });
});

test.each([
  [{ previous_response_id: "resp_x" }, "previous_response_id"],
  [{ previous_response_id: "' or 1=1" }, "previous_response_id"],
  [{ input: [{ type: "item_reference", id: "msg_1" }] }, "input[0].id"],
  [{ input: [{ type: "item_reference", id: `msg_${"0".repeat(32)}_7` }] }, "input[0].id"],
])("what refers to nothing is refused: %j", async (more, param) => {
  expect(await refused(resolved(more))).toEqual({ code: "previous_response_not_found", param });
});

test("what is stored and what can be referred to is bounded", async () => {
  const huge = "x".repeat(REFERRED_BYTES_MAX);
  expect(await stored.keep(byKey(mine), saying(huge))).toBe(false);
  const half = "x".repeat(0.45 * REFERRED_BYTES_MAX);
  const hexes = [newHex(), newHex()];
  const one = await kept(saying(half, { hex: hexes[0] as string }));
  const two = await kept(saying(half, { hex: hexes[1] as string, previousId: one.id, input: [] }));
  const tooMuch = { code: "invalid_value", param: "input" };
  expect(await refused(resolved({ previous_response_id: two.id }))).toEqual(tooMuch);
  const ids = hexes.map((hex) => outputItemId("message", hex, 0));
  const input = [...ids, `msg_${hexes[0]}_i0`].map((id) => ({ type: "item_reference", id }));
  expect(await refused(resolved({ input }))).toEqual(tooMuch);
});

test.each([
  ["responses", "10, 1000000000", 9],
  ["bytes", "1000, 10000", 5],
])("above the most %s of an account, its oldest leave", async (_what, limits, left) => {
  const owner = await connect(databaseUrl);
  const limitTo = (given: string) =>
    owner.query(`create or replace trigger stored_response_added after insert on stored_response
      for each row execute function stored_response_added(${given})`);
  const { rows: triggers } = await owner.query<{ limits: string }>(
    "select encode(tgargs, 'escape') as limits from pg_trigger where tgname = 'stored_response_added'",
  );
  await limitTo(limits);
  await kept(saying("theirs"), other);
  const all: NewResponse[] = [];
  for (let at = 0; at < 11; at++) all.push(await kept(saying("x".repeat(1500), { input: [] })));
  await limitTo("10000, 268435456");
  await owner.end();
  const { responses, bytes, rows, total } = await sums(mine);
  expect([responses, bytes]).toEqual([rows, total]);
  expect(rows).toBe(left);
  expect(await stored.find(byKey(mine), all.at(-1)?.id ?? "")).not.toBeNull();
  expect(await stored.find(byKey(mine), all[0]?.id ?? "")).toBeNull();
  expect(await sums(other)).toMatchObject({ rows: 1 });
  expect(triggers).toEqual([{ limits: "10000\\000268435456\\000" }]);
});

test("an operation that is resumed replaces the answer of the process that died", async () => {
  const hex = newHex();
  const { id } = await kept(saying("before", { hex }));
  await kept(saying("after", { hex }));
  const output = [{ content: [{ text: "after" }] }];
  expect(await stored.find(byKey(mine), id)).toMatchObject({ output });
  const { responses, bytes, rows, total } = await sums(mine);
  expect([responses, bytes]).toEqual([rows, total]);
  expect(rows).toBe(1);
});

test("requests at once make one key, and each response can be read", async () => {
  const all = Array.from({ length: 12 }, (_, at) => saying(`${at}`));
  await Promise.all(all.map((one) => kept(one)));
  for (const { id } of all) expect(await stored.find(byKey(mine), id)).not.toBeNull();
  expect(await sums(mine)).toMatchObject({ responses: 12, rows: 12 });
});

test("a rotation of the secret encrypts the keys again, and every response can still be read", async () => {
  const before = await kept(saying("before"));
  const during = under(second, first);
  expect(await during.find(byKey(mine), before.id)).toMatchObject({ id: before.id });
  const rotating = fixedSecrets(second, first);
  expect(await hasPrevious(pool, sealedKeys, rotating)).toBe(true);
  const { rows } = await pool.query("select output from stored_response where id = $1", [
    before.id,
  ]);
  await reseal(pool, sealedKeys, rotating);
  expect(await hasPrevious(pool, sealedKeys, rotating)).toBe(false);
  const after = under(second);
  expect(await after.find(byKey(mine), before.id)).toMatchObject({ id: before.id });
  expect(await stored.find(byKey(mine), before.id)).toBeNull();
  const later = await kept(saying("after", { previousId: before.id }), mine, after);
  expect(await after.chain(byKey(mine), later.id)).toMatchObject({ isWhole: true });
  const unchanged = await pool.query("select output from stored_response where id = $1", [
    before.id,
  ]);
  expect(unchanged.rows).toEqual(rows);
});

test("with a secret that was replaced without a rotation, old responses are none and new ones are stored", async () => {
  const before = await kept(saying("before"));
  const after = under(second);
  expect(await after.find(byKey(mine), before.id)).toBeNull();
  const gone = { isWhole: false, missing: before.id };
  expect(await after.chain(byKey(mine), before.id)).toEqual(gone);
  const later = await kept(saying("later"), mine, after);
  expect(await after.find(byKey(mine), later.id)).toMatchObject({ id: later.id });
});

test("a value that was moved to another row cannot be read", async () => {
  const one = await kept(saying("one"));
  const two = await kept(saying("two"));
  await pool.query(
    "update stored_response t set output = s.output from stored_response s where t.id = $1 and s.id = $2",
    [one.id, two.id],
  );
  expect(await stored.find(byKey(mine), one.id)).toBeNull();
  expect(await stored.find(byKey(mine), two.id)).not.toBeNull();
});
