/** Tests what an account's points buy: a full chat answer, a shorter one, or none. */
import { expect, test } from "vitest";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import {
  completion,
  type Script,
  sendJson,
  startUpstream,
  usageOf,
} from "@/testing/upstream/test-upstream";

let script: Script;

const upstream = await opened(startUpstream((...args) => script(...args)));

test("an account without points gets 402 with the amounts, and nothing goes upstream", async () => {
  const poor = await openTestRelay({ channels: [upstream.channel()], points: "0.001" });
  const sent = upstream.seen.length;
  for (const stream of [false, true]) {
    const { status, json, headers } = await poor.chat({ stream });
    expect(status).toBe(402);
    expect(json.error).toMatchObject({
      code: "insufficient_points",
      type: "insufficient_points",
      available_points: 0.001,
      held_points: 0,
    });
    expect(json.error?.required_points).toBeGreaterThan(0.2);
    expect(headers.get("x-should-retry")).toBe("false");
  }
  expect(upstream.seen.length).toBe(sent);
  await poor.close();
});

test("the output cap sent upstream is what the balance affords", async () => {
  script = (response) => sendJson(response, completion("hi", { usage: usageOf(10, 300) }));
  // 0.5 points at 800 a million afford 625 output tokens, less the input's bound.
  const small = await openTestRelay({ channels: [upstream.channel()], points: "0.5" });
  expect((await small.chat()).status).toBe(200);
  const cap = upstream.seen.at(-1)?.body.max_tokens as number;
  expect(cap).toBeGreaterThan(600);
  expect(cap).toBeLessThan(625);
  expect(await small.ends()).toMatchObject([
    { outcome: "settled", held: 500_000, amount: 240_800 },
  ]);
  await small.close();
});

test("50 requests at once on points for 3 admit exactly 3; the others get an error that points are held", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  script = async (response) => {
    await gate;
    sendJson(response, completion("hi", { usage: usageOf(50, 100) }));
  };
  const probe = await openTestRelay({ channels: [upstream.channel()], points: "10" });
  const first = probe.chat({ max_tokens: 100 });
  while (probe.running.count === 0 || (await probe.balance()).held === 0n)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const { held } = await probe.balance();
  const three = await openTestRelay({
    channels: [upstream.channel()],
    points: (Number(held * 3n) / 1_000_000).toFixed(6),
  });
  const sent = upstream.seen.length;
  const answers = Array.from({ length: 50 }, () => three.chat({ max_tokens: 100 }));
  const refused = await Promise.race([
    Promise.all(answers.map((one) => one.then(({ status }) => status))),
    settledCount(answers, 47),
  ]);
  expect(refused).toBe(47);
  release();
  const done = await Promise.all(answers);
  expect(done.filter(({ status }) => status === 200)).toHaveLength(3);
  const refusals = done.filter(({ status }) => status === 402);
  expect(refusals).toHaveLength(47);
  for (const { json, headers } of refusals) {
    expect(json.error?.code).toBe("points_held");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(upstream.seen.length - sent).toBe(3);
  expect(await three.balance()).toEqual({ available: held * 3n - 3n * 84_000n, held: 0n });
  await first;
  await Promise.all([probe.close(), three.close()]);
});

function settledCount(promises: readonly Promise<unknown>[], wanted: number): Promise<number> {
  return new Promise((resolve) => {
    let count = 0;
    for (const promise of promises) void promise.then(() => ++count === wanted && resolve(count));
  });
}
