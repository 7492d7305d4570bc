import pg from "pg";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { startTestStripe } from "@/testing/topup/stripe";
import { opened } from "@/testing/unit/opened";
import { createAccount } from "../accounts/create-account";
import { createSessionStore } from "../accounts/session-store";
import { createApiKey, revokeApiKey } from "../commands/api-keys";
import { createPackage } from "../commands/packages";
import { newId } from "../crypto/ids";
import { isCountLimit, isOutage } from "../db/database-errors";
import { isRelayError } from "../failures/relay-error";
import { startPayment } from "../topup/payments";

let people = 0;
/** More than is allowed: of what 100 are, and of what 20 are. */
const [MANY, SOME] = extent([120, 40], [200, 200]);
const site = await opened(startSiteProcess());

function newUser() {
  const email = `c${++people}@example.com`;
  return createAccount(site.deps.database, site.deps.ledger, { email });
}

/**
 * Makes some attempts at once, then one after the other until the first refusal. Returns how
 * many succeeded and the codes of the refusals. An attempt may also time out on a busy machine; it
 * then counts as not done.
 */
async function attempts(
  attempt: (n: number) => Promise<unknown>,
  atOnce = MANY,
): Promise<{ done: number; refusals: unknown[] }> {
  const codeOf = (reason: unknown) =>
    isRelayError(reason) ? reason.code : isCountLimit(reason) ? "limit" : reason;
  const isLate = (reason: unknown) =>
    isOutage(reason) ||
    /Transaction already closed|Unable to start a transaction/.test(String(reason));
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, (_, n) => attempt(n)));
  const reasons = ended.flatMap((each) =>
    each.status === "rejected" ? [each.reason as unknown] : [],
  );
  const codes = reasons.filter((reason) => !isLate(reason)).map(codeOf);
  let done = atOnce - reasons.length;
  for (let n = atOnce; done <= atOnce; n++) {
    const refused = await attempt(n).then(() => null, codeOf);
    if (refused !== null) return { done, refusals: [...new Set([...codes, refused])] };
    done++;
  }
  return { done, refusals: codes };
}
const count = async (sql: string, ...values: unknown[]) =>
  Number(
    (await site.deps.pool.query<{ count: string }>(`select count(*) from ${sql}`, values)).rows[0]
      ?.count,
  );

test.each([null, 5_000_000n])(
  "an account has at most 100 active keys when more are created at once, each with the budget %s",
  async (budget) => {
    const { database, ledger } = site.deps;
    const { accountId, userId } = await newUser();
    const make = () =>
      createApiKey({ database, ledger }, userId, { accountId, name: "key", budget });
    expect(await attempts(make)).toEqual({ done: 100, refusals: ["invalid_value"] });
    expect(await count("api_key where account_id = $1 and revoked_at is null", accountId)).toBe(
      100,
    );
    expect(
      await count(
        "operator_action where action = 'key.create' and detail ->> 'account' = $1",
        accountId,
      ),
    ).toBe(100);
    const [key] = await database.apiKey.findMany({ where: { accountId }, take: 1 });
    await revokeApiKey({ database }, userId, { id: String(key?.id), accountId });
    await make();
    await expect(make()).rejects.toMatchObject({ code: "invalid_value" });
    await expect(
      database.apiKey.update({ where: { id: String(key?.id) }, data: { revokedAt: null } }),
    ).rejects.toSatisfy(isCountLimit);
  },
);

test("a developer makes half of an account's keys at most; who may revoke every key makes them all", async () => {
  const { database, ledger, pool } = site.deps;
  const [{ accountId, userId }, member] = [await newUser(), await newUser()];
  await pool.query(
    "insert into account_member (account_id, user_id, role) values ($1, $2, 'developer')",
    [accountId, member.userId],
  );
  const makeBy = (actor: string) => () =>
    createApiKey({ database, ledger }, actor, { accountId, name: "key" });
  expect(await attempts(makeBy(member.userId))).toEqual({ done: 50, refusals: ["invalid_value"] });
  await expect(makeBy(member.userId)()).rejects.toThrow("You can have at most 50 keys");
  expect(await attempts(makeBy(userId))).toEqual({ done: 50, refusals: ["invalid_value"] });
});

test("there are at most 100 packages when more are created at once", async () => {
  const terms = {
    name: "P",
    note: null,
    points: 1n,
    amount: 1,
    currency: "eur",
    isEnabled: true,
    position: 0,
  };
  expect(await attempts(() => createPackage(site.deps, "cli", terms))).toEqual({
    done: 100,
    refusals: ["invalid_value"],
  });
  expect(await count("topup_package")).toBe(100);
});

test("an account starts at most 20 payments an hour when more are started at once", async () => {
  const fake = await startTestStripe();
  const { rows } = await site.deps.pool.query<{ id: string }>(
    "select id from topup_package limit 1",
  );
  const { accountId } = await newUser();
  const buyer = {
    accountId,
    email: null,
    packageId: String(rows[0]?.id),
    returnUrl: "http://localhost/points",
  };
  // The site's own pool gives up after some seconds, and a payment that is open then counts.
  const pool = new pg.Pool({ connectionString: site.databaseUrl, max: 8 });
  const begun = await attempts(
    () => startPayment({ ...site.deps, pool }, fake.stripe, buyer),
    SOME,
  );
  await pool.end();
  expect(begun).toEqual({ done: 20, refusals: ["payment_rate_limited"] });
  expect(await count("payment where account_id = $1", accountId)).toBe(20);
  await fake.close();
});

test("a user has at most 20 identities when more are linked at once", async () => {
  const { userId } = await newUser();
  const join = (n: number) =>
    site.deps.database.userIdentity.create({
      data: { provider: "github", providerAccountId: `${n}`, userId },
    });
  expect(await attempts(join, SOME)).toEqual({ done: 20, refusals: ["limit"] });
});

test("a user has at most 100 sessions when more start at once: the older ones have ended", async () => {
  const { userId } = await newUser();
  const store = createSessionStore(site.deps.database);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const begin = () =>
    store.begin({
      sessionId: newId("request"),
      userId,
      sessionVersion: 1,
      expiresAt,
      address: null,
      userAgent: null,
    });
  const { done, refusals } = await attempts(begin);
  expect(refusals).toEqual([]);
  expect(await count("user_session where user_id = $1", userId)).toBe(100);
  expect(await count("ended_session")).toBe(done - 100);
});
