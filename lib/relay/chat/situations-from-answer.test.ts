/**
 * The situations of `situations.test.ts` for streams that are made from a whole answer, because the
 * upstream's own carry no usage: for every form, at upstreams of every format for text.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { forms } from "@/testing/relay/text-forms";
import {
  type Script,
  sendJson,
  startUpstream,
  type TestUpstream,
} from "@/testing/upstream/test-upstream";
import { textWires } from "@/testing/upstream/text-wires";

let upstream: TestUpstream;
let relay: TestRelay;
let poor: TestRelay;
let script: Script;
let known = 0;

const profile = { plainUsage: true, streamUsage: false };
beforeAll(async () => {
  upstream = await startUpstream((...args) => script(...args));
  const channels = [upstream.channel({ timeoutSeconds: 5, profile })];
  [relay, poor] = [
    await openTestRelay({ channels }),
    await openTestRelay({ channels, points: "0" }),
  ];
});
beforeEach(async () => {
  known = (await relay.ends()).length;
});
afterAll(async () => {
  await Promise.all([relay.close(), poor.close()]);
  await upstream.close();
});

const CHARGE = 100 * 80 + 20 * 800;
const charged = { outcome: "settled", amount: CHARGE, losses: [] };
const free = { outcome: "released", amount: 0, losses: [] };
const lost = { outcome: "released", amount: 0, losses: ["usage_missing"] };
const counts = [100, 20] as const;
const newEnds = async () => (await relay.ends()).slice(known);

const pairs = textWires(...counts).flatMap((wire) =>
  forms.map((form) => ({ form, wire, pair: `${form.name} to ${wire.protocol}` })),
);

describe.each(pairs)("$pair", ({ form, wire }) => {
  const body = (fields: object = {}) => JSON.stringify(form.body({ stream: true, ...fields }));
  const send = (headers: Record<string, string> = {}, to = relay) =>
    to.send(form.path, { body: body(), headers });
  const answering = (text = "content"): Script => {
    return (response) => sendJson(response, wire.whole(text, counts));
  };
  beforeAll(() => {
    const { protocol } = wire;
    relay.setting.channels = [upstream.channel({ timeoutSeconds: 5, protocol, profile })];
  });

  test("the upstream is asked for a whole answer; the last event comes when the charge is durable", async () => {
    script = answering();
    const answer = await relay.fetch(form.path, { body: body() });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const reader = answer.body?.getReader();
    const decoder = new TextDecoder();
    let said = "";
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      said += decoder.decode(step.value, { stream: true });
      if (!form.last.test(said)) continue;
      const { rows } = await relay.pool.query(
        "select amount from settlement order by operation_id desc limit 1",
      );
      expect(rows).toEqual([{ amount: String(CHARGE) }]);
    }
    expect(said).toMatch(form.last);
    expect(said).toContain("content");
    const sent = upstream.seen.at(-1)?.body;
    expect([sent?.stream, sent?.stream_options]).toEqual([undefined, undefined]);
    expect(await newEnds()).toMatchObject([charged]);
  });

  test.each(["before the answer", "after it began"])(
    "whose client leaves %s: charged all the same",
    async (when) => {
      let leave = () => {};
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const whole = wire.whole("long ".repeat(80_000), counts);
      script = async (response) => {
        response.writeHead(200, { "content-type": "application/json" }).write(whole.slice(0, 20));
        if (when === "before the answer") await left;
        response.end(whole.slice(20));
      };
      const controller = new AbortController();
      const answer = relay.fetch(form.path, { body: body(), signal: controller.signal });
      answer.catch(() => {});
      if (when === "before the answer") {
        await expect.poll(() => relay.running.count).toBe(1);
        controller.abort();
        leave();
        void answer.then(({ body }) => body?.cancel()).catch(() => {});
      } else {
        const reader = (await answer).body?.getReader();
        await reader?.read();
        await reader?.cancel();
      }
      expect(await newEnds()).toMatchObject([charged]);
    },
  );

  test("cut upstream: the error of a plain request, nothing charged, a loss", async () => {
    script = (response) => {
      const whole = wire.whole("content", counts);
      const head = { "content-type": "application/json", "content-length": whole.length };
      response.writeHead(200, head).write(whole.slice(0, -10));
      setTimeout(() => response.destroy(), 20);
    };
    const answer = await send();
    expect([answer.status, form.errorCode(answer.json)]).toEqual([502, "upstream_failed"]);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("no usage: delivered, not charged, a loss", async () => {
    script = (response) => sendJson(response, wire.whole("content"));
    const answer = await send();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("content");
    expect(answer.text).toMatch(form.last);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test.each([
    [401, {}, 503, "no_channel_available"],
    [402, {}, 503, "no_channel_available"],
    [429, {}, 429, "upstream_concurrency_exceeded"],
    [500, {}, 502, "upstream_failed"],
    [529, { type: "overloaded_error" }, 502, "upstream_failed"],
    [400, { code: "InvalidParameter", param: "temperature" }, 400, "invalid_value"],
  ])("an upstream that answers %i: %j is %i %s", async (refusal, error, status, code) => {
    script = (response) => sendJson(response, JSON.stringify({ error }), refusal);
    const answer = await send();
    expect([answer.status, form.errorCode(answer.json)]).toEqual([status, code]);
    expect(await newEnds()).toMatchObject([free]);
  });

  test("a malformed answer: an error, a loss", async () => {
    script = (response) => sendJson(response, '{"choices":5}');
    const answer = await send();
    expect([answer.status, form.errorCode(answer.json)]).toEqual([502, "upstream_bad_response"]);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("an answer too large to parse at once: charged, and whole", async () => {
    script = answering("x".repeat(700_000));
    const answer = await send();
    expect(answer.status).toBe(200);
    expect(answer.text.match(/x{24,}/g)?.join("").length).toBeGreaterThanOrEqual(700_000);
    expect(answer.text).toMatch(form.last);
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("too few points, a bad key: nothing held, nothing sent", async () => {
    const sent = upstream.seen.length;
    const bought = await send({}, poor);
    expect([bought.status, form.errorCode(bought.json)]).toEqual([402, "insufficient_points"]);
    const unknown = await send({ authorization: "Bearer bad" });
    expect([unknown.status, form.errorCode(unknown.json)]).toEqual([401, "invalid_api_key"]);
    expect(await newEnds()).toEqual([]);
    expect(upstream.seen.length).toBe(sent);
  });
});
