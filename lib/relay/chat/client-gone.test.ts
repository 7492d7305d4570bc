/**
 * Tests a client that disconnects: before its request is sent upstream nothing is charged, after
 * that the usage that the upstream reports.
 */
import { expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { hello } from "@/testing/relay/test-relay";
import { saying, usageOf } from "@/testing/upstream/test-upstream";

const setup = await scriptedRelay();

/**
 * The operation that ended after the first `known` ones. Checks that nothing else was held or
 * charged.
 */
async function endAfter(known: number, before: bigint) {
  const ends = await setup.relay.ends();
  expect(ends).toHaveLength(known + 1);
  const end = ends.at(-1) as (typeof ends)[number];
  expect(await setup.relay.balance()).toEqual({ available: before - BigInt(end.amount), held: 0n });
  return end;
}

for (const stream of [false, true]) {
  const text = `text ${stream ? "stream" : "plain"}:`;
  const usage = usageOf(10, 10);
  const whole = saying("content", usage);

  test(`${text} the client gone before dispatch: released, and nothing is sent`, async () => {
    const sent = setup.upstream.seen.length;
    const known = (await setup.relay.ends()).length;
    const { available } = await setup.relay.balance();
    const endpoint = setup.relay.find("POST", "/v1/chat/completions");
    const bytes = Buffer.from(JSON.stringify({ model: "RelayV1", messages: hello, stream }));
    await endpoint?.({
      method: "POST",
      path: "/v1/chat/completions",
      query: "",
      header: (name) =>
        ({ authorization: "Bearer good", "content-type": "application/json" })[name],
      receive: async (_limitBytes, take) => take(bytes),
      onGone: (callback) => callback(),
    });
    expect(setup.upstream.seen.length).toBe(sent);
    expect(await endAfter(known, available)).toMatchObject({
      outcome: "released",
      reason: "client_gone",
      losses: [],
      isAbandoned: true,
    });
  });

  test(`${text} the client gone after dispatch: charged once what the upstream reports`, async () => {
    const controller = new AbortController();
    setup.script = (response, request, count) => {
      controller.abort();
      return whole(response, request, count);
    };
    const known = (await setup.relay.ends()).length;
    const { available } = await setup.relay.balance();
    const body = JSON.stringify({ model: "RelayV1", messages: hello, stream });
    const response = await setup.relay.fetch("/v1/chat/completions", {
      body,
      signal: controller.signal,
    });
    await response.body?.cancel().catch(() => {});
    expect(await endAfter(known, available)).toMatchObject({
      outcome: "settled",
      amount: 8_800,
      losses: [],
      isAbandoned: true,
    });
  });
}
