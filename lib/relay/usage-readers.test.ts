/** What `GET /v1/usage` shows a key, a session and a management key of who else is in the account. */
import { beforeAll, expect, test } from "vitest";
import { answerPlayground } from "@/lib/http/playground-lane";
import { seedMembers } from "@/testing/relay/members";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { saying, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { usageResponse } from "../contract/own-account";

const upstream = await opened(startUpstream(saying("hi", usageOf(1000, 1000))));
const relay = await opened(openTestRelay({ channels: [upstream.channel()] }));
const { pool, accountId, setting } = relay;
const makers = { key_own: "user_owner", key_mine: "user_joined", key_other: "user_joined" };

const withKey = async <T>(apiKeyId: string, work: () => Promise<T>): Promise<T> => {
  const before = setting.principal;
  setting.principal = { ...before, apiKeyId, rateSubject: apiKeyId };
  try {
    return await work();
  } finally {
    setting.principal = before;
  }
};

beforeAll(async () => {
  await seedMembers(relay);
  for (const [id, maker] of Object.entries(makers)) {
    await pool.query(
      "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, $1, sha256($3), 'hint', $4)",
      [id, accountId, Buffer.from(id), maker],
    );
    const { status } = await withKey(id, () => relay.chat({}, { "x-relay-tags": `who=${id}` }));
    expect(status).toBe(200);
  }
});

const become = (role: string) =>
  pool.query(
    "update account_member set role = $2 where account_id = $1 and user_id = 'user_joined'",
    [accountId, role],
  );

const usage = async (by: string) =>
  usageResponse.parse((await relay.send(`/v1/usage?group_by=${by}`)).json);
const groups = [
  ["key", "key"],
  ["member", "member"],
  ["tag&group_tag=who", "tag"],
] as const;

test.each(groups)("a developer's key sees what its maker ordered, by %s", async (by, name) => {
  const { data, total } = await withKey("key_mine", () => usage(by));
  const own = name === "member" ? ["user_joined"] : ["key_mine", "key_other"];
  expect(data.map((row) => row[name])).toEqual(own);
  expect(total.requests).toBe(2);
  expect(JSON.stringify(data)).not.toMatch(/owner|key_own/);
  if (name === "member") expect(data[0]?.member_email).toBe("member@example.com");
  const csv = await withKey("key_mine", () =>
    relay.send(`/v1/usage?group_by=${by}`, { headers: { accept: "text/csv" } }),
  );
  expect(csv.text).not.toMatch(/owner|key_own/);
});

test("tags of others are not found by asking for them, and sums without people are the account's", async () => {
  const asked = (query: string) => withKey("key_mine", () => usage(query));
  expect((await asked("model&tags=who%3Dkey_own")).data).toEqual([]);
  expect((await asked("model&tags=who%3Dkey_other")).total.requests).toBe(1);
  expect((await asked("day")).total.requests).toBe(3);
  expect((await asked("model")).total.requests).toBe(3);
});

test.each(groups)(
  "the key of an owner, and of a member who becomes one who reads every result, see all, by %s",
  async (by) => {
    expect((await withKey("key_own", () => usage(by))).total.requests).toBe(3);
    await become("admin");
    expect((await withKey("key_mine", () => usage(by))).total.requests).toBe(3);
    await become("developer");
    expect((await withKey("key_mine", () => usage(by))).total.requests).toBe(2);
  },
);

test("a key that was kept when its maker lost the right to read usage sees its maker's", async () => {
  await become("billing");
  for (const by of ["day", "model"])
    expect((await withKey("key_mine", () => usage(by))).total.requests).toBe(2);
  await become("developer");
});

test("a member's session in the playground sees as the member's keys do", async () => {
  const origin = "http://relay.test";
  const answer = await answerPlayground(
    {
      publicUrl: origin,
      find: relay.find,
      signedIn: async () => ({ accountId, userId: "user_joined" }),
    },
    new Request(`${origin}/api/playground/v1/usage?group_by=member`, {
      headers: { "sec-fetch-site": "same-origin" },
    }),
  );
  const { data } = await answer.json();
  expect(data.map(({ member }: { member: string }) => member)).toEqual(["user_joined"]);
});
