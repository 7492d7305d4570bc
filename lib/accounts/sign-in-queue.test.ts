import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { signInWithPassword } from "../commands/sign-in";
import { RelayError } from "../failures/relay-error";

const site = await opened(startSiteProcess());

const signIn = (email: string, address: string) =>
  site.deps.signInQueue
    .run(address, (own) =>
      signInWithPassword({ ...site.deps, ...own }, { email, password: "wrong password", address }),
    )
    .then(
      () => ({ code: "in", retryAfterSeconds: undefined }),
      ({ code, retryAfterSeconds }: RelayError) => ({ code, retryAfterSeconds }),
    );

test.each([
  ["one address", () => "192.0.2.1"],
  ["a thousand addresses", (index: number) => `10.1.${Math.floor(index / 250)}.${index % 250}`],
])(
  "2,000 sign-ins at once from %s leave database connections for all other requests",
  async (_, addressOf) => {
    let isDone = false;
    const answers = Promise.all(
      Array.from({ length: 2000 }, (__, index) =>
        signIn(`p${index}@example.com`, addressOf(index % 1000)),
      ),
    ).finally(() => {
      isDone = true;
    });
    let asked = 0;
    do {
      // As many queries as the pages' pool has connections: a sign-in must not take any of them.
      await Promise.all(Array.from({ length: 8 }, () => site.deps.pool.query("select 1")));
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 10));
    } while (!isDone);
    expect(asked).toBeGreaterThan(2);
    expect([...new Set((await answers).map(({ code }) => code))].sort()).toEqual([
      "service_busy",
      "wrong_credentials",
    ]);
    for (const { code, retryAfterSeconds } of await answers)
      if (code === "service_busy") expect(retryAfterSeconds).toBeGreaterThan(0);
  },
);

test("two run at once, the waiting are bounded, and another address is served before the rest of a crowd", async () => {
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const work = (name: string) => async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push(name);
    running--;
  };
  const crowd = Array.from({ length: 30 }, () =>
    site.deps.signInQueue.run("192.0.2.7", work("crowd")).catch(({ code }) => code),
  );
  const other = site.deps.signInQueue.run("192.0.2.8", work("other"));
  await other;
  const answers = await Promise.all(crowd);
  expect(answers.filter((answer) => answer === "service_busy").length).toBeGreaterThanOrEqual(12);
  expect([most, order.indexOf("other") <= 4]).toEqual([2, true]);
});

test("a failure is passed on, and the next one is served", async () => {
  const { signInQueue } = site.deps;
  await expect(
    signInQueue.run(undefined, () => Promise.reject(new RelayError("wrong_credentials"))),
  ).rejects.toMatchObject({
    code: "wrong_credentials",
  });
  expect(
    await signInQueue.run(
      undefined,
      async ({ pool }) => (await pool.query("select 1 as one")).rows[0],
    ),
  ).toEqual({ one: 1 });
});

test("work runs in the context of who asked for it, not of who asked before", async () => {
  const who = new AsyncLocalStorage<number>();
  const asked = Array.from({ length: 20 }, (_, each) =>
    who.run(each, () => site.deps.signInQueue.run(`192.0.2.${each}`, async () => who.getStore())),
  );
  expect(await Promise.all(asked)).toEqual(asked.map((_, each) => each));
});
