/** Encoded pictures inside a conversation have a bound of their own, beside that of its text. */
import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { extent, inTurn } from "@/testing/extent/extent";
import { hello } from "@/testing/relay/test-relay";
import type { Form } from "@/testing/relay/text-forms";
import { charged, makings, pairs, textSituations } from "@/testing/relay/text-situations";
import { saying, sendJson, usageOf } from "@/testing/upstream/test-upstream";

const { setup, newEnds, use, sender } = await textSituations();
const relay = () => setup.relay;

const MEBIBYTE = 1024 * 1024;
const picture = (mebibytes: number) => Buffer.alloc(mebibytes * MEBIBYTE, "fox").toString("base64");
const urlOf = (data: string) => `data:image/png;base64,${data}`;

/** What a user says: a picture, and a word. */
const shown: Readonly<Record<string, (data: string) => object>> = {
  chat: (data) => ({
    messages: [
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: urlOf(data) } },
          { type: "text", text: "look" },
        ],
      },
    ],
  }),
  messages: (data) => ({
    messages: [
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data } },
          { type: "text", text: "look" },
        ],
      },
    ],
  }),
  responses: (data) => ({
    messages: [
      {
        role: "user",
        content: [
          { type: "input_image", image_url: urlOf(data) },
          { type: "input_text", text: "look" },
        ],
      },
    ],
  }),
};
const showing = ({ name }: Form, data: string) => shown[name]?.(data) ?? {};

const held = async () => Number((await relay().ends()).at(-1)?.held);

describe.each(
  pairs.flatMap((pair, place) =>
    inTurn(place, makings).map((making) => ({ ...pair, making, from: making.from })),
  ),
)("$pair, from a $from", ({ form, wire, making }) => {
  use(wire, making.from);

  test("a picture of 5 MiB arrives whole, and is held for as a small one is", async () => {
    const send = sender(form);
    setup.script = making.answer(wire);
    const small = picture(0.01);
    await send({ stream: true, ...showing(form, small) });
    const heldForSmall = await held();
    const large = picture(5);
    const answer = await send({ stream: true, ...showing(form, large) });
    expect(answer.status, answer.text).toBe(200);
    expect(setup.upstream.seen.at(-1)?.text.includes(large)).toBe(true);
    expect(await held()).toBe(heldForSmall);
    expect(await newEnds()).toMatchObject([charged, charged]);
  });
});

/** `npm test` takes one of three. */
describe.each(pairs.filter((_, place) => place % extent(3, 1) === 0))("$pair", ({ form, wire }) => {
  use(wire);
  const [fromStream] = makings;
  const plain: typeof setup.script = (response) =>
    sendJson(response, wire.whole("content", [100, 20]));

  test("another channel gets the picture, too", async () => {
    const { channels } = relay().setting;
    relay().setting.channels = [0, 1].map((priority) =>
      setup.upstream.channel({ protocol: wire.protocol, priority }),
    );
    const before = setup.upstream.seen.length;
    for (const [stream, whole] of [
      [false, plain],
      [true, fromStream?.answer(wire) ?? plain],
    ] as const) {
      let asked = 0;
      setup.script = (response, ...rest) => {
        if (asked++ === 0) response.writeHead(429).end("{}");
        else return whole(response, ...rest);
      };
      const large = picture(5);
      expect((await sender(form)({ stream, ...showing(form, large) })).status).toBe(200);
      expect(setup.upstream.seen.at(-1)?.text.includes(large)).toBe(true);
    }
    expect(setup.upstream.seen.length).toBe(before + 4);
    relay().setting.channels = channels;
  });

  test("32 MiB of pictures are too much, and so is text, in whatever form", async () => {
    setup.script = plain;
    const send = sender(form);
    const refusedOf = async (fields: object) => (await send(fields)).status;
    expect(await refusedOf(showing(form, picture(25)))).toBe(413);
    const text = "a".repeat(5 * MEBIBYTE);
    const type = form.name === "responses" ? "input_text" : "text";
    for (const content of [text, urlOf(text), [{ type, text: urlOf(text) }]])
      expect(await refusedOf({ messages: [{ role: "user", content }] })).toBe(413);
    expect(await refusedOf({ messages: hello, data: text })).toBe(413);
    expect(await newEnds()).toEqual([]);
  });

  test("text in the form of a picture is held for by its length", async () => {
    setup.script = plain;
    const send = sender(form);
    await send({ messages: [{ role: "user", content: "look" }] });
    const heldForWord = await held();
    const text = urlOf("a".repeat(MEBIBYTE));
    await send({ messages: [{ role: "user", content: text }] });
    expect(await held()).toBeGreaterThan(heldForWord + MEBIBYTE);
    expect(setup.upstream.seen.at(-1)?.text.includes(text)).toBe(true);
  });
});

test("a response is stored with its picture of 5 MiB, and continued with it", async () => {
  relay().setting.channels = [setup.upstream.channel()];
  setup.script = saying("content", usageOf(100, 20));
  const data = picture(5);
  const content = [{ type: "input_image", image_url: urlOf(data) }];
  const send = (fields: object) =>
    relay().send("/v1/responses", { body: JSON.stringify({ model: "RelayV1", ...fields }) });
  const first = await send({ input: [{ role: "user", content }] });
  expect(first.json.store).toBe(true);
  const next = await send({ input: "and now?", previous_response_id: first.json.id });
  expect(next.status, next.text).toBe(200);
  expect(setup.upstream.seen.at(-1)?.text.includes(data)).toBe(true);
});

test("a tool's picture of 5 MiB arrives whole, and the same order again is one", async () => {
  const models = { "super-relay-img": "theirs" };
  relay().setting.channels = [setup.upstream.channel({ protocol: "ark", models })];
  setup.script = (response) =>
    sendJson(response, '{"error":{"code":"InvalidParameter","message":"no"}}', 400);
  const image = urlOf(picture(5));
  const given = { model: "super-relay-img", prompt: "a fox", image };
  const params = { name: "generate_image", arguments: { ...given, idempotency_key: "large" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { accept: "application/json, text/event-stream" };
  const answer = await relay().send("/mcp", { body, headers });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("invalid_value")]);
  expect(setup.upstream.seen.at(-1)?.text.includes(image)).toBe(true);
  const { rows } = await relay().pool.query<{ sha256: Buffer }>(
    "select request_sha256 as sha256 from request_known order by id desc limit 1",
  );
  const own = JSON.stringify(given);
  expect(rows[0]?.sha256.toString("hex")).toBe(hash("sha256", own));
});
