import { expect, test, vi } from "vitest";
import { codeOf, openKeyDatabase } from "@/testing/accounts/key-database";
import { opened } from "@/testing/unit/opened";
import type { KeyAuthenticator } from "./key-authenticator";
import { makeKeyText } from "./key-text";
import type { ApiKeyPrincipal } from "./principal";

const database = await opened(openKeyDatabase());

/** Sends requests with new keys as fast as possible until `stop`. */
function flood(authenticator: KeyAuthenticator, addressOf: (ask: number) => string) {
  const answers = new Map<string, number>();
  let isStopped = false;
  let asked = 0;
  const running = (async () => {
    while (!isStopped) {
      for (let ask = 0; ask < 50; ask++) {
        const address = addressOf(asked++);
        void (async () => authenticator.identify(`Bearer ${makeKeyText()}`, { address }))().catch(
          ({ code }: { code: string }) => answers.set(code, (answers.get(code) ?? 0) + 1),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    answers,
    stop() {
      isStopped = true;
      return running;
    },
  };
}

const timeOf = async (work: () => Promise<unknown>) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

test("a burst of unknown keys from one address does not delay the look-ups of another address", async () => {
  // Made before the process starts: news of a key while it is looked up has it looked up again.
  const key = await database.seedKey();
  const { authenticator, counts } = await database.startCounted();
  const burst = Array.from({ length: 5000 }, () =>
    Promise.resolve(
      authenticator.identify(`Bearer ${makeKeyText()}`, { address: "192.0.2.1" }),
    ).then(
      (): [string, number | undefined] => ["ok", undefined],
      ({ code, retryAfterSeconds }): [string, number | undefined] => [code, retryAfterSeconds],
    ),
  );
  expect(await authenticator.identify(key.header, { address: "192.0.2.2" })).toMatchObject({
    apiKeyId: key.id,
  });
  expect(counts.hashes).toBeLessThan(1000);
  const answers = await Promise.all(burst);
  expect(answers.filter(([code]) => code === "service_busy").every(([, wait]) => wait === 1)).toBe(
    true,
  );
  // Every key that was not rejected early was looked up once, also where the query failed, and one query
  // looked up many.
  const asked = answers.filter(([code]) => code !== "service_busy").length;
  expect(counts.hashes).toBe(asked + 1);
  expect(counts.queries).toBeLessThan(20);
});

test.each([
  ["one address", () => "192.0.2.1"],
  [
    "thousands of addresses",
    (ask: number) => `10.${(ask >> 16) & 255}.${(ask >> 8) & 255}.${ask & 255}`,
  ],
])(
  "under a flood of unknown keys from %s, keys that are not cached are answered within a second",
  async (_, addressOf) => {
    const { authenticator } = await database.startProcess();
    const keys = [];
    for (let each = 0; each < 5; each++) keys.push(await database.seedKey());
    const flooding = flood(authenticator, addressOf);
    await vi.waitFor(
      () =>
        expect(
          [...flooding.answers.values()].reduce((sum, count) => sum + count, 0),
        ).toBeGreaterThan(2000),
      20_000,
    );
    for (const [index, key] of keys.entries()) {
      const time = await timeOf(async () =>
        expect(
          await authenticator.identify(key.header, { address: `198.51.100.${index}` }),
        ).toMatchObject({
          apiKeyId: key.id,
        }),
      );
      expect(time).toBeLessThan(1000);
    }
    await flooding.stop();
  },
);

test("unknown, revoked, expired, paused and suspended keys cost the same queries at each use", async () => {
  const { authenticator, counts, caughtUp } = await database.startCounted();
  const key = {
    revoked: await database.seedKey(),
    expired: await database.seedKey({ expiresAt: new Date(0) }),
    paused: await database.seedKey(),
    suspended: await database.seedKey(),
  };
  await database.admin.query("update api_key set revoked_at = now() where id = $1", [
    key.revoked.id,
  ]);
  await database.admin.query(
    "update api_key set paused_at = now(), paused_spend = 1, hourly_spend_max = 1 where id = $1",
    [key.paused.id],
  );
  await database.admin.query("update account set status = 'suspended' where id = $1", [
    key.suspended.accountId,
  ]);
  await caughtUp();
  const asked: [string, string][] = [
    ["invalid_api_key", `Bearer ${makeKeyText()}`],
    ["api_key_revoked", key.revoked.header],
    ["api_key_expired", key.expired.header],
    ["api_key_paused", key.paused.header],
    ["account_suspended", key.suspended.header],
  ];
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    for (const [code, header] of asked) {
      const answers: [string, number][] = [];
      for (const later of [0, 0, 2900, 200, 0]) {
        vi.setSystemTime(Date.now() + later);
        const before = counts.queries;
        const answer = authenticator.identify(header) as Promise<ApiKeyPrincipal>;
        answers.push([
          await answer.then(() => "ok").catch((error) => error.code),
          counts.queries - before,
        ]);
      }
      expect(answers).toEqual([1, 0, 0, 1, 0].map((queries) => [code, queries]));
    }
  } finally {
    vi.useRealTimers();
  }
});

test("creating or revoking a key leaves the cached refusals of other keys in place", async () => {
  const { authenticator, counts, caughtUp } = await database.startCounted();
  const [unknown, revoked] = [`Bearer ${makeKeyText()}`, await database.seedKey()];
  await caughtUp();
  await codeOf(authenticator, unknown);
  const before = counts.queries;
  await database.admin.query("update api_key set revoked_at = now() where id = $1", [revoked.id]);
  await caughtUp();
  expect([await codeOf(authenticator, unknown), counts.queries]).toEqual([
    "invalid_api_key",
    before,
  ]);
});
