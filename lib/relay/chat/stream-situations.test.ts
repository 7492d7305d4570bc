/**
 * The situations of a stream, for every form of a request at upstreams of every format for text,
 * whether it is made of the upstream's own stream or, where that carries no usage, of its whole
 * answer. What such a stream and a plain answer share is in `situations.test.ts`.
 */
import { describe, expect, test } from "vitest";
import type { Form } from "@/testing/relay/text-forms";
import {
  CHARGE,
  charged,
  lastError,
  lost,
  makings,
  pairs,
  textSituations,
  wholly,
} from "@/testing/relay/text-situations";
import { sendJson, streamType } from "@/testing/upstream/test-upstream";

const { setup, newEnds, use, sender } = await textSituations();

/** Sends the request of a client that reads its stream as it comes. */
const stream = (form: Form, signal: AbortSignal | null = null) =>
  setup.relay.fetch(form.path, { body: JSON.stringify(form.body({ stream: true })), signal });

function signalOf() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

describe.each(
  pairs.flatMap((pair) => makings.map((making) => ({ ...pair, making, from: making.from }))),
)("$pair, from a $from", ({ form, wire, making }) => {
  use(wire, making.from);

  test("its last event comes when the charge is durable", async () => {
    setup.script = making.answer(wire);
    const answer = await stream(form);
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const reader = answer.body?.getReader();
    const decoder = new TextDecoder();
    let said = "";
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      said += decoder.decode(step.value, { stream: true });
      if (!form.last.test(said)) continue;
      const { rows } = await setup.relay.pool.query(
        "select amount from request order by id desc limit 1",
      );
      expect(rows).toEqual([{ amount: String(CHARGE) }]);
    }
    expect(said).toMatch(form.last);
    expect(said).toContain("content");
    const sent = setup.upstream.seen.at(-1)?.body;
    expect(sent?.stream).toBe(making.from === "stream" ? true : undefined);
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("no usage: delivered, not charged, a loss", async () => {
    setup.script = making.withoutUsage(wire);
    const answer = await sender(form)({ stream: true });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("content");
    expect(answer.text).toMatch(form.last);
    expect(await newEnds()).toMatchObject([lost]);
  });
});

describe.each(pairs)("$pair, from a stream", ({ form, wire }) => {
  use(wire);
  const { text, finish, usage, done } = wire;

  test.each([
    ["before its first chunk", false, text],
    ["after its first chunk", true, text],
    ["after its last chunk", true, text + finish],
  ])("whose client leaves %s: charged all the same", async (_when, isRead, sent) => {
    const left = signalOf();
    setup.script = async (response) => {
      response.writeHead(200, streamType).write(sent);
      await left.given;
      response.end([text, finish, usage, done].join(""));
    };
    const reader = (await stream(form)).body?.getReader();
    if (isRead) await reader?.read();
    await reader?.cancel();
    left.give();
    expect(await newEnds()).toMatchObject([{ ...charged, isAbandoned: true }]);
  });

  test("cut upstream: an error event, nothing charged, a loss", async () => {
    setup.script = (response) => {
      response.writeHead(200, streamType).write(text);
      setTimeout(() => response.destroy(), 20);
    };
    const answer = await sender(form)({ stream: true });
    expect(lastError(form, answer.text)).toBe("upstream_failed");
    expect(answer.text).not.toMatch(form.last);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("cut upstream after its usage: charged", async () => {
    setup.script = (response) => {
      response.writeHead(200, streamType).write([text, finish, usage].join(""));
      setTimeout(() => response.destroy(), 20);
    };
    const answer = await sender(form)({ stream: true });
    expect(answer.text).toMatch(form.last);
    expect(await newEnds()).toMatchObject([charged]);
  });
});

describe.each(pairs)("$pair, from a whole answer", ({ form, wire }) => {
  use(wire, "whole answer");

  test("whose client leaves before the answer: charged all the same", async () => {
    const [asked, left] = [signalOf(), signalOf()];
    setup.script = async (response, ...rest) => {
      asked.give();
      await left.given;
      await wholly(wire)(response, ...rest);
    };
    const controller = new AbortController();
    const answer = stream(form, controller.signal);
    answer.catch(() => {});
    await asked.given;
    controller.abort();
    left.give();
    void answer.then(({ body }) => body?.cancel()).catch(() => {});
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("whose client leaves after it began: charged all the same", async () => {
    setup.script = wholly(wire, "long ".repeat(80_000));
    const reader = (await stream(form)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("cut upstream: the error of a plain request, nothing charged, a loss", async () => {
    setup.script = (response) => {
      const whole = wire.whole("content");
      const head = { "content-type": "application/json", "content-length": whole.length };
      response.writeHead(200, head).write(whole.slice(0, -10));
      setTimeout(() => response.destroy(), 20);
    };
    const answer = await sender(form)({ stream: true });
    expect([answer.status, form.errorCode(answer.json)]).toEqual([502, "upstream_failed"]);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("a malformed answer: an error, a loss", async () => {
    setup.script = (response) => sendJson(response, '{"choices":5}');
    const answer = await sender(form)({ stream: true });
    expect([answer.status, form.errorCode(answer.json)]).toEqual([502, "upstream_bad_response"]);
    expect(await newEnds()).toMatchObject([lost]);
  });

  test("an answer too large to parse at once: charged, and whole", async () => {
    setup.script = wholly(wire, "x".repeat(700_000));
    const answer = await sender(form)({ stream: true });
    expect(answer.status).toBe(200);
    expect(answer.text.match(/x{24,}/g)?.join("").length).toBeGreaterThanOrEqual(700_000);
    expect(answer.text).toMatch(form.last);
    expect(await newEnds()).toMatchObject([charged]);
  });
});
