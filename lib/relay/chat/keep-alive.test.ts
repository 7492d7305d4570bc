/**
 * A stream whose upstream is silent tells its client that it goes on, in every form and at upstreams
 * of every format, from a stream of the upstream's own or from its whole answer.
 */
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import type { Form } from "@/testing/relay/text-forms";
import { charged, free, lastError, makings, pairs } from "@/testing/relay/text-situations";
import { streamType } from "@/testing/upstream/test-upstream";

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel()],
  keepAliveMs: 20,
}));
const relay = () => setup.relay;

/** Reads a stream; `isSaid` is asked after each piece, and `then` is called when it first holds. */
async function read(form: Form, isSaid: (text: string) => boolean, then: () => void) {
  const body = JSON.stringify(form.body({ stream: true }));
  const answer = await relay().fetch(form.path, { body });
  const decoder = new TextDecoder();
  let text = "";
  let isDone = false;
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (isDone || !isSaid(text)) continue;
    isDone = true;
    then();
  }
  return { answer, text };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const lastEnd = async () => (await relay().ends()).at(-1);
const times = (text: string, part: string) => text.split(part).length - 1;

describe.each(
  pairs.flatMap((pair) => makings.map((making) => ({ ...pair, making, from: making.from }))),
)("$pair, from a $from", ({ form, wire, making }) => {
  const profile =
    making.from === "stream" ? {} : { profile: { plainUsage: true, streamUsage: false } };
  const channel = (priority = 0) =>
    setup.upstream.channel({ protocol: wire.protocol, priority, ...profile });
  const isKept = (text: string) => times(text, form.keepAlive) >= 3;

  test("silence before the first chunk: 200, kept alive as often as needed, then the answer", async () => {
    setup.relay.setting.channels = [channel()];
    const said = gate();
    setup.script = async (...given) => {
      await said.opened;
      await making.answer(wire)(...given);
    };
    const { answer, text } = await read(form, isKept, said.open);
    expect(answer.status).toBe(200);
    expect(text).toMatch(form.last);
    expect(text).toContain("content");
    expect(await lastEnd()).toMatchObject(charged);
  });

  test("a failure after it: the form's error event, nothing charged", async () => {
    setup.relay.setting.channels = [channel()];
    const said = gate();
    setup.script = async (response) => {
      await said.opened;
      response.writeHead(400).end("{}");
    };
    const { answer, text } = await read(form, isKept, said.open);
    expect([answer.status, lastError(form, text)]).toEqual([200, "invalid_value"]);
    expect(text).not.toMatch(form.last);
    expect(await lastEnd()).toMatchObject(free);
  });

  test("a failure after it that cost nothing: another channel answers", async () => {
    setup.relay.setting.channels = [channel(1), channel(0)];
    const said = gate();
    const before = setup.upstream.seen.length;
    setup.script = async (response, request, count) => {
      await said.opened;
      if (count === before + 1) response.writeHead(429).end("{}");
      else await making.answer(wire)(response, request, count);
    };
    const { text } = await read(form, isKept, said.open);
    expect(setup.upstream.seen.length).toBe(before + 2);
    expect(text).toMatch(form.last);
    expect(await lastEnd()).toMatchObject(charged);
  });

  test("a client that leaves meanwhile: charged all the same", async () => {
    setup.relay.setting.channels = [channel()];
    const left = gate();
    setup.script = async (...given) => {
      await left.opened;
      await making.answer(wire)(...given);
    };
    const body = JSON.stringify(form.body({ stream: true }));
    const reader = (await relay().fetch(form.path, { body })).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    left.open();
    expect(await lastEnd()).toMatchObject({ ...charged, isAbandoned: true });
  });
});

describe.each(pairs)("$pair", ({ form, wire }) => {
  test("silence within the answer: kept alive, and a break ends it as an error", async () => {
    setup.relay.setting.channels = [setup.upstream.channel({ protocol: wire.protocol })];
    let said = gate();
    const endAfter = (isBroken: boolean) => {
      said = gate();
      setup.script = async (response) => {
        response.writeHead(200, streamType).write(wire.text);
        await said.opened;
        if (isBroken) response.destroy();
        else response.end([wire.finish, wire.usage, wire.done].join(""));
      };
      const isKept = (text: string) =>
        times(text.slice(text.indexOf("content")), form.keepAlive) >= 4;
      return read(form, isKept, () => said.open());
    };
    const { text } = await endAfter(false);
    expect(text).toMatch(form.last);
    expect(await lastEnd()).toMatchObject(charged);
    expect(lastError(form, (await endAfter(true)).text)).toBe("upstream_failed");
  });

  test("an upstream that says only that it works is silent for the client, who hears so", async () => {
    setup.relay.setting.channels = [setup.upstream.channel({ protocol: wire.protocol })];
    const said = gate();
    setup.script = async (response) => {
      response.writeHead(200, streamType);
      const timer = setInterval(() => response.write(": PROCESSING\n\n"), 5);
      await Promise.race([said.opened, once(response, "close")]);
      clearInterval(timer);
      response.end([wire.text, wire.finish, wire.usage, wire.done].join(""));
    };
    const isKept = (text: string) => times(text, form.keepAlive) >= 2;
    const { text } = await read(form, isKept, said.open);
    expect(text).not.toContain("PROCESSING");
    expect(text).toMatch(form.last);
    expect(await lastEnd()).toMatchObject(charged);
  });
});
