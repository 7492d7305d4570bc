/** Streams of images, as raw events and in the openai library. */
import OpenAI from "openai";
import { expect, test } from "vitest";
import {
  delivering,
  file,
  model,
  picture,
  rates,
  refused,
  startSeries,
} from "@/testing/relay/image-series";
import { sellModel } from "@/testing/relay/sold-model";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { type Script, sendJson } from "@/testing/upstream/test-upstream";
import { imageEvent } from "../../contract/image-events";
import { resolvers } from "../../timing/resolvers";

const COMMENT = ": keep-alive\n\n";

const relay = await opened(openTestRelay({ channels: [], keepAliveMs: 400 }));
await sellModel(relay, file);
const series = await opened(startSeries(relay), ({ upstream }) => upstream.close());

/** The events of a stream, each of which fits its schema. */
const eventsIn = (text: string) =>
  text
    .replaceAll(COMMENT, "")
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => imageEvent.parse(JSON.parse(block.split("\ndata: ")[1] ?? "")));

test("a stream has an event for each image and one for the end, and a retry with its key gets it again", async () => {
  await series.scripted(delivering(picture, refused), "ark", async () => {
    const headers = { "idempotency-key": "stream-1" };
    const body = JSON.stringify({ model, prompt: "A fox", size: "512x512", n: 2, stream: true });
    const send = () => relay.send("/v1/images/generations", { body, headers });
    const answer = await send();
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(eventsIn(answer.text)).toMatchObject([
      { type: "image_generation.partial_succeeded", image_index: 0, size: "512x512" },
      {
        type: "image_generation.partial_failed",
        image_index: 1,
        error: { code: "content_rejected" },
      },
      { type: "image_generation.completed", usage: { generated_images: 1 } },
    ]);
    expect(answer.text.endsWith("data: [DONE]\n\n")).toBe(true);
    const again = await send();
    expect(again.headers.get("content-type")).toBe(answer.headers.get("content-type"));
    expect(eventsIn(again.text)).toEqual(eventsIn(answer.text));
    expect(series.upstream.seen).toHaveLength(1);
  });
});

/** An upstream that answers when it is let go. */
function held(then: Script) {
  let letGo = () => {};
  const waiting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const script: Script = async (...given) => {
    await waiting;
    await then(...given);
  };
  return { script, letGo: () => letGo() };
}
const begin = async () => {
  const body = JSON.stringify({ model, prompt: "A fox", size: "512x512", stream: true });
  const answer = await relay.fetch("/v1/images/generations", { body });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  return { status: answer.status, read: async () => (await reader?.read())?.value ?? "", reader };
};

test("a stream whose image takes long begins with comments, and is charged once it is made", async () => {
  const { script, letGo } = held(delivering(picture));
  await series.scripted(script, "ark", async () => {
    const { status, read } = await begin();
    expect([status, await read(), await read()]).toEqual([200, COMMENT, COMMENT]);
    letGo();
    let text = "";
    while (!text.includes("[DONE]")) text += await read();
    expect(eventsIn(text).map(({ type }) => type)).toEqual([
      "image_generation.partial_succeeded",
      "image_generation.completed",
    ]);
  });
  expect((await relay.ends()).at(-1)).toMatchObject({ outcome: "settled" });
});

test("a failure of a stream that has begun is its last event; its client that leaves is charged all the same", async () => {
  const failing = held(delivering(refused));
  await series.scripted(failing.script, "ark", async () => {
    const { read } = await begin();
    expect(await read()).toBe(COMMENT);
    failing.letGo();
    let text = "";
    while (!text.includes("data: ")) text += await read();
    expect(text).toContain('"code":"content_rejected"');
  });
  expect((await relay.ends()).at(-1)).toMatchObject({ outcome: "released", amount: 0 });
  const left = held(delivering(picture));
  await series.scripted(left.script, "ark", async () => {
    const { read, reader } = await begin();
    expect(await read()).toBe(COMMENT);
    await reader?.cancel();
    left.letGo();
    expect((await relay.ends()).at(-1)).toMatchObject({ outcome: "settled" });
  });
});

/** An upstream that streams, and waits to be told before each image after the first. */
function streaming(items: readonly object[]) {
  const waiting = items.slice(1).map(() => resolvers<void>());
  const script: Script = async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const [at, item] of items.entries()) {
      await waiting[at - 1]?.promise;
      const name = "error" in item ? "partial_failed" : "partial_succeeded";
      const type = `image_generation.${name}`;
      response.write(`data: ${JSON.stringify({ type, image_index: at, ...item })}\n\n`);
    }
    const usage = { generated_images: 2, output_tokens: 1 };
    response.end(`data: ${JSON.stringify({ type: "image_generation.completed", usage })}\n\n`);
  };
  return { script, next: () => waiting.shift()?.resolve() };
}

test("each image of a stream is passed on as soon as it is stored, and all are charged before the end", async () => {
  const { script, next } = streaming([picture, refused, picture]);
  await series.scripted(script, "ark", async () => {
    const headers = { "idempotency-key": "live-1" };
    const body = JSON.stringify({ model, prompt: "A fox", size: "512x512", n: 3, stream: true });
    const answer = await relay.fetch("/v1/images/generations", { body, headers });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const until = async (count: number) => {
      while (eventsIn(text).length < count) text += (await reader?.read())?.value ?? "";
      return eventsIn(text);
    };
    const [first] = await until(1);
    expect(first).toMatchObject({ type: "image_generation.partial_succeeded", image_index: 0 });
    const address = first && "url" in first ? new URL(first.url ?? "") : null;
    const file = await relay.fetch(`${address?.pathname}${address?.search}`);
    expect(Buffer.from(await file.arrayBuffer()).toString("base64")).toBe(picture.b64_json);
    expect((await relay.balance()).held).toBeGreaterThan(0n);
    next();
    expect((await until(2)).at(-1)).toMatchObject({ type: "image_generation.partial_failed" });
    next();
    expect((await until(4)).at(-1)).toMatchObject({ usage: { generated_images: 2 } });
    expect((await relay.balance()).held).toBe(0n);
    while (!text.endsWith("[DONE]\n\n")) text += (await reader?.read())?.value ?? "";
    const again = await relay.send("/v1/images/generations", { body, headers });
    expect(again.text).toBe(text.replaceAll(COMMENT, ""));
  });
  expect((await relay.ends()).at(-1)).toMatchObject({ outcome: "settled" });
});

test("the events of an edit have the names that the Images API has for them", async () => {
  await series.scripted(delivering(picture), "ark", async () => {
    const image = "https://files.example/a.png";
    const body = JSON.stringify({ model, prompt: "A fox", size: "512x512", image, stream: true });
    const { text } = await relay.send("/v1/images/edits", { body });
    expect(eventsIn(text).map(({ type }) => type)).toEqual([
      "image_edit.partial_succeeded",
      "image_edit.completed",
    ]);
  });
});

test("missing images before the first one are told with it, or as the failure of all", async () => {
  const { script, next } = streaming([refused, picture]);
  await series.scripted(script, "ark", async () => {
    next();
    const { text } = await series.order({ n: 2, stream: true });
    expect(eventsIn(text).map(({ type }) => type)).toEqual([
      "image_generation.partial_failed",
      "image_generation.partial_succeeded",
      "image_generation.completed",
    ]);
  });
  const none = streaming([refused, refused]);
  await series.scripted(none.script, "ark", async () => {
    none.next();
    const { status, json } = await series.order({ n: 2, stream: true });
    expect([status, json.error?.code]).toEqual([502, "content_rejected"]);
  });
  expect((await relay.ends()).at(-1)).toMatchObject({ outcome: "released", amount: 0 });
});

test("the openai library reads several images, and a stream to its completed image", async () => {
  const client = new OpenAI({
    apiKey: "good",
    baseURL: "http://relay.test/v1",
    maxRetries: 0,
    fetch: (input, init) => {
      const { pathname } = new URL(String(input));
      const headers = Object.fromEntries(new Headers(init?.headers));
      return relay.fetch(pathname, { method: "POST", body: String(init?.body), headers });
    },
  });
  const ask = { model, prompt: "A fox", size: "512x512" } as const;
  await series.scripted(delivering(picture, picture), "openai", async () => {
    const { data } = await client.images.generate({ ...ask, size: "512x512", n: 2 });
    expect(data).toHaveLength(2);
    const b64_json = { response_format: "b64_json", stream: true } as const;
    const stream = await client.images.generate({ ...ask, ...b64_json });
    const types: string[] = [];
    let bytes = "";
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "image_generation.completed") bytes = event.b64_json;
    }
    expect([types.at(-1), bytes]).toEqual(["image_generation.completed", picture.b64_json]);
  });
});

/** The events of one image, as OpenAI names them. */
const openaiEvents = (...types: string[]): Script => {
  const text = types.map((type, index) => {
    const data = { type: `image_generation.${type}`, ...picture, partial_image_index: index };
    return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  });
  return (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).end(text.join(""));
};
const withPartials = { stream: true, partial_images: 3 };

test("pictures that are not finished are shown as they come, and billed as many as came", async () => {
  await series.scripted(
    openaiEvents("partial_image", "partial_image", "completed"),
    "openai",
    async () => {
      const { text } = await series.order(withPartials);
      expect(series.upstream.seen[0]?.body).toMatchObject(withPartials);
      expect(eventsIn(text)).toMatchObject([
        { type: "image_generation.partial_image", partial_image_index: 0, ...picture },
        { type: "image_generation.partial_image", partial_image_index: 1 },
        { type: "image_generation.partial_succeeded" },
        { type: "image_generation.completed" },
      ]);
    },
  );
  const [shown, plain] = [(await relay.ends()).at(-1), rates["512x512"] * 1e6 + 3];
  expect(shown?.held).toBeGreaterThanOrEqual(plain + 3 * 500_000);
  expect(shown?.amount).toBe((shown?.held ?? 0) - 500_000);
});

test("an upstream that refuses to stream is asked once again without it, and costs nothing for that", async () => {
  const refusing: Script = (response, request, count) =>
    request.body.stream === true
      ? sendJson(
          response,
          JSON.stringify({ error: { message: "Unknown parameter: 'stream'.", param: "stream" } }),
          400,
        )
      : delivering(picture)(response, request, count);
  await series.scripted(refusing, "openai", async () => {
    const { text } = await series.order(withPartials);
    expect(series.upstream.seen.map(({ body }) => body.stream)).toEqual([true, undefined]);
    expect(eventsIn(text).map(({ type }) => type)).toEqual([
      "image_generation.partial_succeeded",
      "image_generation.completed",
    ]);
  });
  const end = (await relay.ends()).at(-1);
  expect(end).toMatchObject({ outcome: "settled", losses: [] });
  expect(end?.amount).toBe((end?.held ?? 0) - 3 * 500_000);
});
