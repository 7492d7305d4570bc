/**
 * One table of situations, run for chat completions and every dialect, at upstreams of every format
 * for text: whatever the forms of a request and its answer, the same happens to its points. Those
 * that only a stream knows are in `stream-situations.test.ts`.
 */
import { describe, expect, test } from "vitest";
import {
  CHARGE,
  charged,
  free,
  lost,
  pairs,
  textSituations,
  wholly,
} from "@/testing/relay/text-situations";
import { sendJson } from "@/testing/upstream/test-upstream";

const { setup, poor, newEnds, use, sender } = await textSituations();

describe.each(pairs)("$pair: what is delivered", ({ form, wire }) => {
  const send = sender(form);
  use(wire);

  test("plain: charged once, after which the answer comes", async () => {
    setup.script = wholly(wire);
    const { status, headers } = await send({}, { "x-client-request-id": "mine" });
    expect(status).toBe(200);
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(headers.get("x-client-request-id")).toBe("mine");
    for (const name of ["limit", "remaining", "reset"])
      expect(Number(headers.get(`x-ratelimit-${name}-requests`)), name).toBeGreaterThanOrEqual(0);
    expect(headers.get("x-ratelimit-limit-requests")).toBe("1000000");
    expect(headers.get("x-relay-points")).toBe(String(CHARGE / 1e6));
    expect(await newEnds()).toMatchObject([charged]);
    const { rows } = await setup.relay.pool.query(
      "select dialect from request_known order by id desc limit 1",
    );
    expect(rows).toEqual([{ dialect: form.name === "chat" ? null : form.name }]);
  });

  test("no usage: delivered, not charged, a loss", async () => {
    setup.script = (response) => sendJson(response, wire.whole("content"));
    const answer = await send();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("content");
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("a malformed answer: an error, a loss", async () => {
    setup.script = (response) => sendJson(response, '{"choices":5}');
    const answer = await send();
    expect([answer.status, form.errorCode(answer.json)]).toEqual([502, "upstream_bad_response"]);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("an answer too large to parse at once: charged", async () => {
    setup.script = wholly(wire, "x".repeat(700_000));
    const answer = await send();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("x".repeat(700_000));
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("an Idempotency-Key: the same answer again, one charge; another body is refused", async () => {
    setup.script = wholly(wire);
    const headers = { "idempotency-key": `key-${form.name}-${wire.protocol}` };
    const first = await send({}, headers);
    const second = await send({}, headers);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    const other = await send({ temperature: 1 }, headers);
    expect([other.status, form.errorCode(other.json)]).toEqual([422, "idempotency_key_reused"]);
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("a byte order mark before the request is ignored", async () => {
    setup.script = wholly(wire);
    const body = `\ufeff${JSON.stringify(form.body({}))}`;
    expect((await setup.relay.send(form.path, { body })).status).toBe(200);
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("a quote is what the request holds", async () => {
    setup.script = wholly(wire);
    const quote = await setup.relay.send("/v1/quote", {
      body: JSON.stringify({ endpoint: form.path, ...form.body({}) }),
    });
    await send();
    const [end] = await newEnds();
    expect(quote.json.hold_points).toBe((end?.held ?? 0) / 1e6);
  });
});

describe.each(
  pairs.flatMap((pair) => [
    { ...pair, from: "stream" as const },
    { ...pair, from: "whole answer" as const },
  ]),
)("$pair, streams from a $from: what is refused", ({ form, wire, from }) => {
  const send = sender(form);
  use(wire, from);

  test.each([
    [401, {}, 503, "no_channel_available"],
    [402, {}, 503, "no_channel_available"],
    [429, {}, 429, "upstream_concurrency_exceeded"],
    [500, {}, 502, "upstream_failed"],
    [529, { type: "overloaded_error" }, 502, "upstream_failed"],
    [400, { code: "InvalidParameter", param: "temperature" }, 400, "invalid_value"],
  ])("an upstream that answers %i: %j is %i %s", async (refusal, error, status, code) => {
    setup.script = (response) => sendJson(response, JSON.stringify({ error }), refusal);
    for (const stream of [false, true]) {
      const answer = await send({ stream });
      expect([answer.status, form.errorCode(answer.json)]).toEqual([status, code]);
    }
    const end = { ...free, reason: code };
    expect(await newEnds()).toMatchObject([end, end]);
    expect((await setup.relay.balance()).held).toBe(0n);
  });

  test("too few points, no key, a bad key, too many requests: nothing held, nothing sent", async () => {
    const { relay, upstream } = setup;
    const sent = upstream.seen.length;
    const refused = async (answer: ReturnType<typeof send>, status: number, code: string) => {
      const { json, ...got } = await answer;
      expect([got.status, form.errorCode(json)]).toEqual([status, code]);
      expect(got.headers.get("x-request-id")).toMatch(/^req_/);
    };
    for (const stream of [false, true]) {
      await refused(send({ stream }, {}, poor), 402, "insufficient_points");
      await refused(send({ stream }, { authorization: "Bearer bad" }), 401, "invalid_api_key");
      const { principal } = relay.setting;
      relay.setting.principal = { ...principal, requestsPerMinute: 1 };
      const limited = await send({ stream });
      relay.setting.principal = principal;
      expect([limited.status, form.errorCode(limited.json)]).toEqual([429, "key_rate_limited"]);
      expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await newEnds()).toEqual([]);
    expect((await relay.balance()).held).toBe(0n);
    expect(await poor.ends()).toEqual([]);
    expect(upstream.seen.length).toBe(sent);
  });

  test("malformed and over-long bodies: nothing held, nothing sent", async () => {
    const sent = setup.upstream.seen.length;
    const raw = async (body: string) => {
      const { status, json } = await setup.relay.send(form.path, { body });
      return [status, form.errorCode(json)];
    };
    expect(await raw("{")).toEqual([400, "invalid_json"]);
    expect(await raw("[]")).toEqual([400, "invalid_value"]);
    expect(await raw("{}")).toEqual([400, "missing_required_parameter"]);
    expect(await raw(JSON.stringify(form.body({ messages: 5 })))).toEqual([400, "invalid_value"]);
    expect(await raw(JSON.stringify(form.body({ model: "none" })))).toEqual([
      404,
      "model_not_found",
    ]);
    expect(await raw(" ".repeat(4 * 1024 * 1024 + 1))).toEqual([413, "body_too_large"]);
    expect(await newEnds()).toEqual([]);
    expect(setup.upstream.seen.length).toBe(sent);
  });
});
