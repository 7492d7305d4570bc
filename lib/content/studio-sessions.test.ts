import { beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { STUDIO_SESSIONS_MAX } from "../contract/limits";
import { fixedSecrets } from "../crypto/secrets";
import { openPool } from "../db/pool";
import { writeStudioAnswer } from "./studio-answers";
import { findSession, keepSession, listSessions, removeSession } from "./studio-sessions";

const secrets = fixedSecrets("s".repeat(32));
let count = 0;
let owner = { accountId: "", userId: "" };
const deps = () => ({ pool, secrets });

const pool = await opened(openPool(await createTestDatabase(), 4));

/** A member of the account, whose own one it is where no other is named. */
async function member(accountId: string, ownAccountId = accountId): Promise<typeof owner> {
  const userId = `user_${++count}`;
  await pool.query(`insert into "user" (id, email, account_id) values ($1, $2, $3)`, [
    userId,
    `${userId}@example.com`,
    ownAccountId,
  ]);
  await pool.query(
    "insert into account_member (account_id, user_id, role) values ($1, $2, 'developer') on conflict do nothing",
    [accountId, userId],
  );
  return { accountId, userId };
}
beforeEach(async () => {
  const accountId = `acct_${++count}`;
  await pool.query("insert into account (id) values ($1)", [accountId]);
  owner = await member(accountId);
});

const session = (id: string, rest: Partial<Parameters<typeof keepSession>[2]> = {}) => ({
  id,
  kind: "text" as const,
  revision: 0,
  title: `Title ${id}`,
  content: JSON.stringify({ said: `a secret of ${id}` }),
  awaited: [],
  ...rest,
});
const keep = (...given: Parameters<typeof session>) =>
  keepSession(deps(), owner, session(...given));
const find = (id: string, who = owner) => findSession(deps(), who, id);
const titles = async (query: Parameters<typeof listSessions>[2] = {}, who = owner) =>
  (await listSessions(deps(), who, query)).map(({ title }) => title);

test("a session is its user's alone, encrypted, and gone once it is removed", async () => {
  expect(await keep("one")).toBe(1);
  expect(await find("one")).toMatchObject({ title: "Title one", revision: 1, answers: [] });
  const other = await member(owner.accountId);
  expect(await find("one", other)).toBeNull();
  expect(await titles({}, other)).toEqual([]);
  expect(await keepSession(deps(), other, session("one", { revision: 1 }))).toBeNull();
  expect(await removeSession(pool, other, "one")).toBe(false);
  const { rows } = await pool.query("select * from studio_session");
  expect(rows.map((row) => Object.values(row).map(String).join()).join()).not.toMatch(
    /secret|Title/,
  );
  expect(await removeSession(pool, owner, "one")).toBe(true);
  expect(await find("one")).toBeNull();
});

test("a page that has not read the last change does not overwrite it", async () => {
  await keep("two");
  expect(await keep("two", { revision: 1, content: "second" })).toBe(2);
  expect(await keep("two", { revision: 1, content: "late" })).toBeNull();
  expect(await keep("two", { content: "new" })).toBeNull();
  expect(await find("two")).toMatchObject({ content: "second", revision: 2 });
  expect(await keep("never", { revision: 3 })).toBeNull();
});

test("sessions are found by words of their title and content, and by their kind", async () => {
  await keep("fox", { title: "A fox in snow", content: "the answer about lanterns" });
  await keep("film", { title: "A film", kind: "video" });
  expect(await titles()).toEqual(["A film", "A fox in snow"]);
  expect(await titles({ search: "FOX snow" })).toEqual(["A fox in snow"]);
  expect(await titles({ search: "lanterns fox" })).toEqual(["A fox in snow"]);
  expect(await titles({ search: "absent" })).toEqual([]);
  expect(await titles({ kind: "video" })).toEqual(["A film"]);
});

test("an awaited answer is written once, into the session of its user, and goes when it was read", async () => {
  await keep("wait", { awaited: ["k1", "k2"] });
  const order = { ...owner, orderKey: "k1", requestId: "req_1" };
  const named = { index: 0, function: { name: "weather", arguments: "{}" } };
  const delta = { content: "an answer", tool_calls: [named] };
  const output = `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
  const stranger = await member(owner.accountId);
  await writeStudioAnswer(deps(), { ...order, userId: stranger.userId }, output);
  expect(await find("wait")).toMatchObject({ answers: [] });
  await writeStudioAnswer(deps(), order, output);
  await writeStudioAnswer(deps(), { ...order, requestId: "req_2" }, output);
  const answers = [
    { orderKey: "k1", requestId: "req_1", text: "an answer", toolCalls: [named.function] },
  ];
  expect(await find("wait")).toMatchObject({ answers });
  expect(await listSessions(deps(), owner, {})).toMatchObject([{ isAwaited: true }]);
  await keep("wait", { revision: 1, awaited: ["k2"] });
  expect(await find("wait")).toMatchObject({ answers: [] });
});

test("above the most sessions of a user the oldest leave", async () => {
  await keep("kept-old");
  await pool.query(
    `insert into studio_session (id, account_id, user_id, kind, title, content, updated_at)
     select 'x' || i, $1, $2, 'text', '\\x00', '\\x00', now() - interval '1 hour' + make_interval(secs => i)
       from generate_series(1, $3::int) i`,
    [owner.accountId, owner.userId, STUDIO_SESSIONS_MAX],
  );
  await keep("newest");
  const { rows } = await pool.query<{ id: string }>(
    "select id from studio_session where user_id = $1 order by updated_at desc, id desc",
    [owner.userId],
  );
  expect(rows).toHaveLength(STUDIO_SESSIONS_MAX);
  expect(rows[0]).toEqual({ id: "newest" });
  expect(rows.map(({ id }) => id)).not.toContain("x1");
});

test("none is kept once the account chose so, the member has left, or the account is erased", async () => {
  await keep("chosen");
  await pool.query("update account set keeps_sessions = false where id = $1", [owner.accountId]);
  expect(await titles()).toEqual([]);
  expect(await keep("chosen")).toBeNull();
  await pool.query("update account set keeps_sessions = true where id = $1", [owner.accountId]);
  await pool.query("insert into account (id) values ('acct_own')");
  const other = await member(owner.accountId, "acct_own");
  expect(await keepSession(deps(), other, session("member"))).toBe(1);
  await pool.query("delete from account_member where account_id = $1 and user_id = $2", [
    other.accountId,
    other.userId,
  ]);
  expect(await titles({}, other)).toEqual([]);
  expect(await keepSession(deps(), other, session("member"))).toBeNull();
  await keep("erased");
  await pool.query("select account_erase($1)", [owner.accountId]);
  expect(await titles()).toEqual([]);
  expect(await keep("erased")).toBeNull();
});
