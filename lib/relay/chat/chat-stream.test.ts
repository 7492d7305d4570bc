import { expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { hello, openTestRelay } from "@/testing/relay/test-relay";
import {
  chunk,
  type Script,
  sendJson,
  streamType,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { chatChunk } from "../../contract/chat";

const setup = await scriptedRelay();

const words = ["one ", "two ", "three ", "four"];
const events = [
  chunk({ role: "assistant", content: "" }),
  ...words.map((content) => chunk({ content })),
  chunk({}, {}, "stop"),
  usageChunk(usageOf(40, 4)),
  "data: [DONE]\n\n",
];
const whole: Script = (response) => void response.writeHead(200, streamType).end(events.join(""));

const dataOf = (text: string) =>
  text
    .split("\n\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^data: /, ""));
const chunksOf = (text: string) =>
  dataOf(text)
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data));
const textOf = (text: string) =>
  chunksOf(text)
    .map(({ choices }) => choices[0]?.delta.content ?? "")
    .join("");

test("a stream without requested usage has none, no chunk without choices, and is charged the upstream's figure", async () => {
  setup.script = whole;
  const { status, headers, text } = await setup.relay.chat({ model: "relay-v1", stream: true });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  expect(textOf(text)).toBe(words.join(""));
  for (const one of chunksOf(text)) {
    expect(chatChunk.safeParse(one).success).toBe(true);
    expect(one).toMatchObject({
      model: "relay-v1",
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion.chunk",
    });
    expect(one.choices).toHaveLength(1);
    expect("usage" in one).toBe(false);
  }
  expect(setup.upstream.seen.at(-1)?.body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
  });
  expect((await setup.relay.ends()).at(-1)).toMatchObject({
    outcome: "settled",
    amount: 6_400,
    input: 40,
    output: 4,
    isAbandoned: false,
  });
});

test("a stream with requested usage has null on every chunk, and the numbers with the points once, last before [DONE]", async () => {
  setup.script = whole;
  const { text } = await setup.relay.chat({
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = chunksOf(text);
  const last = chunks.pop();
  expect(last).toMatchObject({
    choices: [],
    usage: { ...usageOf(40, 4), points: 0.0064 },
    model: "RelayV1",
    object: "chat.completion.chunk",
  });
  for (const one of chunks) expect(one.usage).toBeNull();
  expect(dataOf(text).at(-1)).toBe("[DONE]");
});

test("usage that an upstream repeats on every chunk is shown once and charged once", async () => {
  const counted = [
    chunk({ content: "a" }, { usage: usageOf(5, 1) }),
    chunk({ content: "b" }, { usage: usageOf(5, 2) }, "stop"),
    "data: [DONE]\n\n",
  ];
  setup.script = (response) => void response.writeHead(200, streamType).end(counted.join(""));
  const asked = chunksOf(
    (await setup.relay.chat({ stream: true, stream_options: { include_usage: true } })).text,
  );
  expect(asked.map(({ usage }) => usage?.completion_tokens ?? null)).toEqual([null, null, null, 2]);
  const silent = chunksOf((await setup.relay.chat({ stream: true })).text);
  expect(silent.some((one) => "usage" in one)).toBe(false);
  expect((await setup.relay.ends()).slice(-2)).toMatchObject([
    { amount: 2_000 },
    { amount: 2_000 },
  ]);
});

test.each(Array.from({ length: events.length }, (_, index) => index))(
  "a client that cuts the stream after %i chunks is charged the upstream's figure once",
  async (count) => {
    const steps: (() => void)[] = [];
    setup.script = (response) => {
      response.writeHead(200, streamType);
      response.flushHeaders();
      for (const event of events) steps.push(() => void response.write(event));
      steps.push(() => void response.end());
      steps.shift()?.();
    };
    const known = (await setup.relay.ends()).length;
    const controller = new AbortController();
    const body = JSON.stringify({
      model: "RelayV1",
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    const response = await setup.relay.fetch("/v1/chat/completions", {
      body,
      signal: controller.signal,
    });
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    for (let taken = 0; taken < count; taken++) {
      // The finish and our usage follow the upstream's end: this step needs the rest of the events.
      while (taken >= 5 && steps.length > 0) steps.shift()?.();
      await reader.read();
      if (taken < count - 1) steps.shift()?.();
    }
    controller.abort();
    await reader.cancel();
    for (const step of steps) step();
    const ends = (await setup.relay.ends()).slice(known);
    expect(ends).toMatchObject([{ outcome: "settled", amount: 6_400, losses: [] }]);
    expect(ends[0]?.isAbandoned).toBe(count < events.length - 2);
  },
);

test("a stream cut at any event is never charged without complete usage: an error event, no [DONE], and an operator's loss", async () => {
  for (let count = 1; count < events.length - 2; count++) {
    setup.script = (response) => {
      response.writeHead(200, streamType);
      response.write(
        `${events.slice(0, count).join("")}${(events[count] as string).slice(0, 9)}`,
        () => setTimeout(() => response.destroy(), 20),
      );
    };
    const { status, text } = await setup.relay.chat({ stream: true });
    expect(status).toBe(200);
    expect(text).not.toContain("[DONE]");
    expect(JSON.parse(dataOf(text).at(-1) as string)).toMatchObject({
      error: { code: "upstream_failed", type: "upstream_error" },
    });
    expect((await setup.relay.ends()).at(-1)).toMatchObject({
      outcome: "released",
      amount: 0,
      losses: ["usage_missing"],
    });
  }
});

test("a failure before the first event is a plain answer with its status", async () => {
  const refused: Script = (response) => sendJson(response, "{}", 500);
  const inside: Script = (response) =>
    void response
      .writeHead(200, streamType)
      .end('data: {"error":{"code":"content_filter","message":"secret"}}\n\n');
  for (const [one, status, code] of [
    [refused, 502, "upstream_failed"],
    [inside, 502, "content_rejected"],
  ] as const) {
    setup.script = one;
    const answer = await setup.relay.chat({ stream: true });
    expect(answer).toMatchObject({ status, json: { error: { code } } });
    expect(answer.text).not.toContain("secret");
    expect((await setup.relay.ends()).at(-1)).toMatchObject({
      outcome: "released",
      reason: code,
      losses: [],
    });
  }
});

test("an error event in the middle reaches the client with our message", async () => {
  setup.script = (response) =>
    void response
      .writeHead(200, streamType)
      .end(
        `${chunk({ content: "a" })}data: {"error":{"message":"secret","code":"overloaded"}}\n\n`,
      );
  const { text } = await setup.relay.chat({ stream: true });
  expect(JSON.parse(dataOf(text).at(-1) as string)).toMatchObject({
    error: { code: "upstream_failed" },
  });
  expect(text).not.toContain("secret");
});

test("a slow client slows the upstream down through a bounded queue, and loses nothing", async () => {
  let written = 0;
  // 48 MB: sockets alone were seen to take 15.
  const pieces = 6000;
  const piece = "x".repeat(8_000);
  setup.script = async (response) => {
    response.writeHead(200, streamType);
    for (let sent = 0; sent < pieces; sent++) {
      written++;
      if (!response.write(chunk({ content: piece })))
        await new Promise((resolve) => response.once("drain", resolve));
    }
    response.end(`${chunk({}, {}, "stop")}${usageChunk(usageOf(1, 1))}data: [DONE]\n\n`);
  };
  const response = await setup.relay.fetch("/v1/chat/completions", {
    body: JSON.stringify({ model: "RelayV1", messages: hello, stream: true }),
  });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(written).toBeLessThan(pieces / 2);
  const text = await response.text();
  expect(textOf(text)).toHaveLength(pieces * piece.length);
  expect(text.endsWith("[DONE]\n\n")).toBe(true);
});

test("a stop waits for running streams and refuses new requests", async () => {
  let goOn = () => {};
  setup.script = async (response) => {
    response.writeHead(200, streamType).write(events[0]);
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    response.end(events.slice(1).join(""));
  };
  const own = await openTestRelay({ channels: [setup.upstream.channel()] });
  const response = await own.fetch("/v1/chat/completions", {
    body: JSON.stringify({ model: "RelayV1", messages: hello, stream: true }),
  });
  const drained = own.running.drain(10_000);
  expect(await own.chat()).toMatchObject({
    status: 503,
    json: { error: { code: "service_draining" } },
  });
  expect(await own.send("/readyz")).toMatchObject({ status: 503 });
  goOn();
  expect(await response.text()).toContain("[DONE]");
  expect(await drained).toBe(true);
  await own.close();
});
