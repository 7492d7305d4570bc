/**
 * One table of situations, run for chat completions and every dialect, at upstreams of every format
 * for text: whatever the forms of a request and its answer, the same happens to its points.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { type Form, forms } from "@/testing/relay/text-forms";
import {
  type Script,
  sendJson,
  startUpstream,
  streamType,
  type TestUpstream,
} from "@/testing/upstream/test-upstream";
import { type TextWire, textWires } from "@/testing/upstream/text-wires";

let upstream: TestUpstream;
let relay: TestRelay;
let poor: TestRelay;
let script: Script;
let known = 0;

beforeAll(async () => {
  upstream = await startUpstream((...args) => script(...args));
  relay = await openTestRelay({ channels: [upstream.channel({ timeoutSeconds: 5 })] });
  poor = await openTestRelay({ channels: [upstream.channel()], points: "0" });
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
const plain =
  ({ whole }: TextWire): Script =>
  (response) =>
    sendJson(response, whole("content", counts));
const streamed =
  (...parts: string[]): Script =>
  (response) => {
    response.writeHead(200, streamType).end(parts.join(""));
  };

/** Every form with every format. */
const pairs = textWires(...counts).flatMap((wire) =>
  forms.map((form) => ({ form, wire, pair: `${form.name} to ${wire.protocol}` })),
);
const useWire = ({ protocol }: TextWire) => {
  relay.setting.channels = [upstream.channel({ timeoutSeconds: 5, protocol })];
};

/** The ends of the operations since the test began. */
const newEnds = async () => (await relay.ends()).slice(known);

const sender =
  (form: Form) =>
  (fields: object = {}, headers: Record<string, string> = {}, to = relay) =>
    to.send(form.path, { body: JSON.stringify(form.body(fields)), headers });

/** The code of the error that a stream ends with. */
function lastError(form: Form, answer: string): unknown {
  const line = answer.trim().split("\n").at(-1) ?? "";
  return form.errorCode(JSON.parse(line.slice("data: ".length)));
}

describe.each(pairs)("$pair: what is delivered", ({ form, wire }) => {
  const send = sender(form);
  const { text, finish, usage, done } = wire;
  beforeAll(() => useWire(wire));

  test("plain: charged once, after which the answer comes", async () => {
    script = plain(wire);
    const { status, headers } = await send({}, { "x-client-request-id": "mine" });
    expect(status).toBe(200);
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect(headers.get("x-client-request-id")).toBe("mine");
    for (const name of ["limit", "remaining", "reset"])
      expect(Number(headers.get(`x-ratelimit-${name}-requests`)), name).toBeGreaterThanOrEqual(0);
    expect(headers.get("x-ratelimit-limit-requests")).toBe("1000000");
    expect(headers.get("x-relay-points")).toBe(String(CHARGE / 1e6));
    expect(await newEnds()).toMatchObject([charged]);
    const { rows } = await relay.pool.query(
      "select dialect from operation order by id desc limit 1",
    );
    expect(rows).toEqual([{ dialect: form.name === "chat" ? null : form.name }]);
  });

  test("stream: its last event comes when the charge is durable", async () => {
    script = streamed(text, finish, usage, done);
    const answer = await relay.fetch(form.path, {
      body: JSON.stringify(form.body({ stream: true })),
    });
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
    expect(await newEnds()).toMatchObject([charged]);
  });

  test.each([
    ["before its first chunk", false, text],
    ["after its first chunk", true, text],
    ["after its last chunk", true, text + finish],
  ])("stream whose client leaves %s: charged all the same", async (_when, isRead, sent) => {
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    script = async (response) => {
      response.writeHead(200, streamType).write(sent);
      await left;
      response.end([text, finish, usage, done].join(""));
    };
    const answer = await relay.fetch(form.path, {
      body: JSON.stringify(form.body({ stream: true })),
    });
    const reader = answer.body?.getReader();
    if (isRead) await reader?.read();
    await reader?.cancel();
    leave();
    expect(await newEnds()).toMatchObject([{ ...charged, isAbandoned: true }]);
  });

  test("stream cut upstream: an error event, nothing charged, a loss", async () => {
    script = (response) => {
      response.writeHead(200, streamType).write(text);
      setTimeout(() => response.destroy(), 20);
    };
    const answer = await send({ stream: true });
    expect(lastError(form, answer.text)).toBe("upstream_failed");
    expect(answer.text).not.toMatch(form.last);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("stream cut upstream after its usage: charged", async () => {
    script = (response) => {
      response.writeHead(200, streamType).write([text, finish, usage].join(""));
      setTimeout(() => response.destroy(), 20);
    };
    const answer = await send({ stream: true });
    expect(answer.text).toMatch(form.last);
    expect(await newEnds()).toMatchObject([charged]);
  });

  test.each([false, true])(
    "no usage (stream: %s): delivered, not charged, a loss",
    async (stream) => {
      script = stream
        ? streamed(text, finish, done)
        : (response) => sendJson(response, wire.whole("content"));
      const answer = await send({ stream });
      expect(answer.status).toBe(200);
      expect(answer.text).toContain("content");
      if (stream) expect(answer.text).toMatch(form.last);
      expect(await newEnds()).toMatchObject([lost]);
    },
  );
});

describe.each(pairs)("$pair: what is refused, and what is repeated", ({ form, wire }) => {
  const send = sender(form);
  beforeAll(() => useWire(wire));

  test.each([
    [401, {}, 503, "no_channel_available", free],
    [402, {}, 503, "no_channel_available", free],
    [429, {}, 429, "upstream_concurrency_exceeded", free],
    [500, {}, 502, "upstream_failed", free],
    [529, { type: "overloaded_error" }, 502, "upstream_failed", free],
    [400, { code: "InvalidParameter", param: "temperature" }, 400, "invalid_value", free],
  ])(
    "an upstream that answers %i: %j is %i %s",
    async (upstreamStatus, error, status, code, end) => {
      script = (response) => sendJson(response, JSON.stringify({ error }), upstreamStatus);
      for (const stream of [false, true]) {
        const answer = await send({ stream });
        expect([answer.status, form.errorCode(answer.json)]).toEqual([status, code]);
      }
      expect(await newEnds()).toMatchObject([end, end]);
    },
  );

  test("an upstream's malformed answer: an error, a loss", async () => {
    script = (response) => sendJson(response, '{"choices":5}');
    const answer = await send();
    expect([answer.status, form.errorCode(answer.json)]).toEqual([502, "upstream_bad_response"]);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("an answer too large to parse at once: charged", async () => {
    script = (response) => sendJson(response, wire.whole("x".repeat(700_000), counts));
    const answer = await send();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("x".repeat(700_000));
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("too few points, no key, a bad key, too many requests: nothing held, nothing sent", async () => {
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
    expect(await poor.ends()).toEqual([]);
    expect(upstream.seen.length).toBe(sent);
  });

  test("malformed and over-long bodies: nothing held, nothing sent", async () => {
    const sent = upstream.seen.length;
    const raw = async (body: string) => {
      const { status, json } = await relay.send(form.path, { body });
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
    expect(upstream.seen.length).toBe(sent);
  });

  test("an Idempotency-Key: the same answer again, one charge; another body is refused", async () => {
    script = plain(wire);
    const headers = { "idempotency-key": `key-${form.name}-${wire.protocol}` };
    const first = await send({}, headers);
    const second = await send({}, headers);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    const other = await send({ temperature: 1 }, headers);
    expect([other.status, form.errorCode(other.json)]).toEqual([422, "idempotency_key_reused"]);
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("a quote is what the request holds", async () => {
    script = plain(wire);
    const quote = await relay.send("/v1/quote", {
      body: JSON.stringify({ endpoint: form.path, ...form.body({}) }),
    });
    await send();
    const [end] = await newEnds();
    expect(quote.json.hold_points).toBe((end?.held ?? 0) / 1e6);
  });
});
