/**
 * Tests the faults of a chat request, plain and streamed: what the client sees, and whether its
 * points were never held, released or charged. Those of every dialect are in situations.test.ts, an
 * account without points in chat-hold.test.ts, a client that disconnects in client-gone.test.ts, a
 * stream that is cut and a slow client in chat-stream.test.ts.
 */
import { expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { freePort } from "@/testing/stage/listen";
import { chunk, saying, sendJson, streamType, usageOf } from "@/testing/upstream/test-upstream";

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel({ timeoutSeconds: 2 })],
}));

const START = 1_000_000_000n;
let charged = 0n;

/**
 * The operation that ended after the first `known` ones. Checks the wallet against all charges so
 * far.
 */
async function endAfter(known: number) {
  const ends = await setup.relay.ends();
  expect(ends).toHaveLength(known + 1);
  const end = ends.at(-1) as (typeof ends)[number];
  charged += BigInt(end.amount);
  expect(await setup.relay.balance()).toEqual({ available: START - charged, held: 0n });
  return end;
}

async function nothingHappens(run: () => Promise<unknown>) {
  const [known, sent] = [(await setup.relay.ends()).length, setup.upstream.seen.length];
  await run();
  expect(await setup.relay.ends()).toHaveLength(known);
  expect(setup.upstream.seen.length).toBe(sent);
  expect(await setup.relay.balance()).toEqual({ available: START - charged, held: 0n });
}

const lastEvent = (text: string) =>
  JSON.parse((text.trim().split("\n\n").at(-1) as string).slice(6));

for (const stream of [false, true]) {
  const text = `text ${stream ? "stream" : "plain"}:`;
  const whole = (usage: unknown) => saying("content", usage);

  test(`${text} invalid input: nothing held, 4xx`, () =>
    nothingHappens(async () => {
      expect((await setup.relay.chat({ stream, n: 2 })).status).toBe(400);
      expect((await setup.relay.chat({ stream, model: "unknown" })).status).toBe(404);
      expect((await setup.relay.chat({ stream, messages: 5 })).status).toBe(400);
    }));

  test(`${text} the channel's limit: nothing held, 429 with Retry-After`, async () => {
    const { channels } = setup.relay.setting;
    const limited = setup.upstream.channel({ requestsPerMinute: 1 });
    setup.relay.setting.channels = [limited];
    const known = (await setup.relay.ends()).length;
    setup.script = whole(usageOf(1, 1));
    expect((await setup.relay.chat({ stream })).status).toBe(200);
    await endAfter(known);
    await nothingHappens(async () => {
      const { status, headers } = await setup.relay.chat({ stream });
      expect(status).toBe(429);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    });
    setup.relay.setting.channels = channels;
  });

  test(`${text} no price: nothing held, 503`, () =>
    nothingHappens(async () => {
      const { price } = setup.relay.setting;
      setup.relay.setting.price = null;
      expect(await setup.relay.chat({ stream })).toMatchObject({
        status: 503,
        json: { error: { code: "price_missing" } },
      });
      setup.relay.setting.price = price;
    }));

  test(`${text} a refused connection: released, 502`, async () => {
    const port = await freePort();
    const { channels } = setup.relay.setting;
    setup.relay.setting.channels = [
      setup.upstream.channel({ baseUrl: `http://127.0.0.1:${port}` }),
    ];
    const known = (await setup.relay.ends()).length;
    expect((await setup.relay.chat({ stream })).status).toBe(502);
    setup.relay.setting.channels = channels;
    expect(await endAfter(known)).toMatchObject({
      outcome: "released",
      reason: "upstream_failed",
      losses: [],
    });
  });

  test.each([
    ["refuses the content", 400, { code: "SensitiveContentDetected" }, 502, "content_rejected"],
    ["is not available", 503, {}, 502, "upstream_failed"],
    ["answers 200 with an error", 200, { code: "InternalServiceError" }, 502, "upstream_failed"],
  ])(
    `${text} an upstream that %s (%i %j): released, %i %s`,
    async (_case, upstreamStatus, error, status, code) => {
      setup.script = (response) => sendJson(response, JSON.stringify({ error }), upstreamStatus);
      const known = (await setup.relay.ends()).length;
      expect(await setup.relay.chat({ stream })).toMatchObject({
        status,
        json: { error: { code } },
      });
      expect(await endAfter(known)).toMatchObject({
        outcome: "released",
        reason: code,
        losses: [],
      });
    },
  );

  test(`${text} a hang before the first byte: released with a loss, 504, final`, async () => {
    setup.script = () => {};
    const known = (await setup.relay.ends()).length;
    const { status, headers } = await setup.relay.chat({ stream });
    expect(status).toBe(504);
    expect(headers.get("x-should-retry")).toBe("false");
    expect(await endAfter(known)).toMatchObject({
      outcome: "released",
      reason: "upstream_timeout",
      losses: ["usage_missing"],
    });
  });

  test.each([
    ["that is no JSON", "an answer"],
    ["that is a list", "[]"],
    ["whose choices are a number", '{"choices":5}'],
    ["that is empty", ""],
    ["of 17 MB", `{"a":"${"x".repeat(17_000_000)}"}`],
  ])(`${text} a malformed body %s: released with a loss`, async (_case, text) => {
    setup.script = (response) => {
      if (!stream) return sendJson(response, text);
      response.writeHead(200, streamType).end(`${chunk({ content: "a" })}data: ${text || "}"}\n\n`);
    };
    const known = (await setup.relay.ends()).length;
    const answer = await setup.relay.chat({ stream });
    if (stream && text === '{"choices":5}')
      expect(lastEvent(answer.text)).toMatchObject({ error: { code: "upstream_failed" } });
    else if (stream)
      expect(lastEvent(answer.text)).toMatchObject({ error: { code: "upstream_bad_response" } });
    else
      expect(answer).toMatchObject({
        status: 502,
        json: { error: { code: "upstream_bad_response" } },
      });
    expect(answer.text).not.toContain("[DONE]");
    expect(await endAfter(known)).toMatchObject({ outcome: "released", losses: ["usage_missing"] });
  });

  test(`${text} usage absent: the content arrives complete, released with a loss and an alarm`, async () => {
    setup.script = whole(undefined);
    const known = (await setup.relay.ends()).length;
    const alarms = setup.relay.alarms.length;
    const { status, text } = await setup.relay.chat({ stream });
    expect(status).toBe(200);
    expect(text).toContain("content");
    if (stream) expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(await endAfter(known)).toMatchObject({
      outcome: "released",
      reason: "usage_missing",
      losses: ["usage_missing"],
    });
    expect(setup.relay.alarms.slice(alarms)).toMatchObject([
      { alarm: "usage_missing", fault: "missing" },
    ]);
  });

  test.each([-1, "9", 2 ** 31 + 1, 0.5, 1e300, null])(
    `${text} usage of %j tokens: released with a loss and an alarm`,
    async (tokens) => {
      setup.script = whole({ prompt_tokens: 1, completion_tokens: tokens });
      // The third in a row at one channel has an alarm more.
      setup.relay.setting.channels = [setup.upstream.channel({ timeoutSeconds: 2 })];
      const known = (await setup.relay.ends()).length;
      const alarms = setup.relay.alarms.length;
      expect((await setup.relay.chat({ stream })).status).toBe(200);
      expect(await endAfter(known)).toMatchObject({
        outcome: "released",
        losses: ["usage_missing"],
      });
      expect(setup.relay.alarms.slice(alarms)).toMatchObject([
        { alarm: "usage_missing", fault: "absurd" },
      ]);
    },
  );

  test(`${text} usage above the hold: charged up to the hold, the rest a loss, with an alarm`, async () => {
    setup.script = whole(usageOf(2 ** 31, 2 ** 31));
    const known = (await setup.relay.ends()).length;
    const alarms = setup.relay.alarms.length;
    expect((await setup.relay.chat({ stream, max_tokens: 10 })).status).toBe(200);
    const end = await endAfter(known);
    expect(end).toMatchObject({ outcome: "settled", losses: ["usage_over_hold"] });
    expect(end.amount).toBe(end.held);
    expect(setup.relay.alarms.slice(alarms)).toMatchObject([{ alarm: "usage_over_hold" }]);
  });

  test(`${text} one byte at a time: the deadline ends it, released with a loss`, async () => {
    setup.script = async (response) => {
      response.writeHead(200, stream ? streamType : { "content-type": "application/json" });
      if (stream) response.write(chunk({ content: "a" }));
      while (!response.destroyed) {
        response.write(stream ? "d" : " ");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const known = (await setup.relay.ends()).length;
    const answer = await setup.relay.chat({ stream });
    if (stream)
      expect(lastEvent(answer.text)).toMatchObject({ error: { code: "upstream_timeout" } });
    else expect(answer.status).toBe(504);
    expect(await endAfter(known)).toMatchObject({ outcome: "released", losses: ["usage_missing"] });
  });
}
