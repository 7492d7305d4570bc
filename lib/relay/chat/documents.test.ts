/** Documents of a request: held by the bound of its model, and passed in the form of each upstream's API. */
import { describe, expect, test } from "vitest";
import { wholeText } from "@/testing/relay/whole-text";
import { wholeTextRelay } from "@/testing/relay/whole-text-relay";
import { response } from "@/testing/upstream/hosted-wires";
import { completion, sendJson, usageOf } from "@/testing/upstream/test-upstream";
import { message, messageUsage } from "@/testing/upstream/text-wires";

const { setup, post, lastEnd, seen, ...whole } = await wholeTextRelay();

type Protocol = "openai" | "anthropic";
const answers = {
  openai: completion("A boat.", { usage: usageOf(3000, 20) }),
  anthropic: message([{ type: "text", text: "A boat." }], { usage: messageUsage(3000, 20) }),
};
const at = (protocol: Protocol, text = answers[protocol]) => whole.at(protocol, text);
const due = 3000 * 80 + 20 * 800;

const bytes = (size: number) => Buffer.alloc(size, "%PDF-1.7 ").toString("base64");
const urlOf = (data: string) => `data:application/pdf;base64,${data}`;
const ask = { type: "text", text: "What is it?" };
const user = (...content: object[]) => [{ role: "user", content }];

/** What each API asks with a document, and what chat and Messages make of it. */
const file = (data: string) => ({ type: "file", file: { file_data: data, filename: "a.pdf" } });
const source = (data: string) =>
  data.startsWith("https:")
    ? { type: "url", url: data }
    : { type: "base64", media_type: "application/pdf", data: data.replace(urlOf(""), "") };
const block = (data: string) => ({ type: "document", source: source(data), title: "a.pdf" });
const apis = [
  {
    name: "chat",
    path: "/v1/chat/completions",
    endpoint: "createChatCompletion",
    bodyOf: (data: string) => ({ messages: user(ask, file(data)) }),
  },
  {
    name: "messages",
    path: "/v1/messages",
    endpoint: "createMessage",
    bodyOf: (data: string) => ({ messages: user(ask, block(data)) }),
  },
  {
    name: "responses",
    path: "/v1/responses",
    endpoint: "createResponse",
    bodyOf: (data: string) => ({
      input: user(
        { type: "input_text", text: ask.text },
        {
          ...{ type: "input_file", filename: "a.pdf" },
          ...(data.startsWith("https:") ? { file_url: data } : { file_data: data }),
        },
      ),
    }),
  },
] as const;
type Api = (typeof apis)[number];

describe.each(apis)("$name", ({ path, endpoint, bodyOf }: Api) => {
  test.each([
    ["openai", urlOf(bytes(300))],
    ["openai", "https://files.example/a.pdf"],
    ["anthropic", urlOf(bytes(300))],
    ["anthropic", "https://files.example/a.pdf"],
    // Larger than a text may be.
    ["openai", urlOf(bytes(5_000_000))],
    ["anthropic", urlOf(bytes(5_000_000))],
  ] as const)(
    "%s gets it in its own form, and the quote holds its bill",
    async (protocol, data) => {
      at(protocol);
      const body = bodyOf(data);
      const quote = await post("/v1/quote", { endpoint, ...body });
      const { status, text } = await post(path, body);
      expect(status, text).toBe(200);
      const passed = protocol === "openai" ? file(data) : block(data);
      expect(seen().messages).toEqual(user(ask, passed));
      const end = await lastEnd();
      expect(end).toMatchObject({ outcome: "settled", amount: due });
      expect(Number(quote.json.hold_points)).toBeCloseTo((end?.held ?? 0) / 1e6, 6);
      // The tokens of a document at most, and a text of some hundred bytes, at the dearest tier.
      expect(end?.held).toBeGreaterThan(5000 * 80);
      expect(end?.held).toBeLessThan((6500 * 81 + 100 * 801) * 7);
    },
  );

  test("a model that reads none refuses it by name, and nothing is charged", async () => {
    at("openai");
    const [asked, balance] = [setup.upstream.seen.length, await setup.relay.balance()];
    const { status, json } = await post(path, { ...bodyOf(urlOf(bytes(300))), model: "RelayV1" });
    const error = json.error as { message: string };
    const name = path === "/v1/responses" ? "input" : "messages";
    expect([status, error.message]).toEqual([
      400,
      expect.stringContaining(`\`${name}\` has a document: RelayV1 reads none as files`),
    ]);
    expect(setup.upstream.seen).toHaveLength(asked);
    expect(await setup.relay.balance()).toEqual(balance);
  });

  test("one of an earlier turn does not end a conversation with a model that reads none", async () => {
    at("openai");
    const body = bodyOf(urlOf(bytes(300)));
    const later = [
      { role: "assistant", content: "A boat." },
      { role: "user", content: "Which?" },
    ];
    const [name, given] = Object.entries(body)[0] ?? ["", []];
    const answer = await post(path, { model: "RelayV1", [name]: [...given, ...later] });
    expect(answer.status, answer.text).toBe(200);
    expect(JSON.stringify(seen().messages)).toContain("cannot be read here, only its text: a.pdf");
    expect(answer.headers.get("x-relay-ignored-fields")).toMatch(/content\.\w*(?:file|document)/);
  });
});

test("Messages: a text in base64 is decoded for every model and upstream; what is none is refused", async () => {
  const textBlock = (media_type: string, data: Buffer, more: object = {}) => ({
    ...{ type: "document", title: "a.txt", ...more },
    source: { type: "base64", media_type, data: data.toString("base64") },
  });
  const say = (...content: object[]) =>
    post("/v1/messages", { model: "RelayV1", messages: user(ask, ...content) });
  for (const protocol of ["openai", "anthropic"] as const)
    for (const type of ["text/plain", "text/csv", "application/json"]) {
      at(protocol);
      const about = { context: "A list." };
      expect((await say(textBlock(type, Buffer.from("größe,2"), about))).status).toBe(200);
      const text = JSON.stringify(seen().messages);
      for (const part of ["a.txt", "A list.", "größe,2"])
        expect([type, text]).toEqual([type, expect.stringContaining(part)]);
      expect(text).not.toContain("cannot be read");
    }
  for (const wrong of [
    textBlock("text/plain", Buffer.from([255, 254])),
    textBlock("application/zip", Buffer.from("PK")),
    textBlock("text/plain;base64,QQ==,", Buffer.from("a")),
  ])
    expect((await say(wrong)).json.error?.type).toBe("invalid_request_error");
});

test("a text is read by every model, and what says that it is one and is not is refused", async () => {
  at("openai");
  const data = (of: Buffer) => `data:text/csv;base64,${of.toString("base64")}`;
  const csv = data(Buffer.from("größe,2"));
  const messages = user(ask, file(csv));
  expect((await post("/v1/chat/completions", { model: "RelayV1", messages })).status).toBe(200);
  expect(seen().messages).toEqual(user(ask, { type: "text", text: "a.pdf\n\ngröße,2" }));
  const input = user({ type: "input_file", file_data: csv });
  expect((await post("/v1/responses", { model: "RelayV1", input })).status).toBe(200);
  expect(seen().messages).toEqual([{ role: "user", content: "größe,2" }]);
  for (const wrong of [data(Buffer.from([255, 254])), urlOf("a~b"), "data:video/mp4;base64,AAAA"]) {
    const { status, json } = await post("/v1/chat/completions", { messages: user(file(wrong)) });
    expect([status, json.error?.code, json.error?.param], wrong).toEqual([
      ...[400, "unsupported_value", "messages"],
    ]);
  }
});

test("a PDF without the start of a data URL, and one in the form of an image, are documents", async () => {
  at("openai");
  const data = bytes(300);
  const image = { type: "image_url", image_url: { url: urlOf(data) } };
  for (const part of [file(data), image]) {
    expect((await post("/v1/chat/completions", { messages: user(part) })).status).toBe(200);
    expect(seen().messages).toMatchObject(user({ type: "file", file: { file_data: urlOf(data) } }));
    expect(await lastEnd()).toMatchObject({ amount: due });
  }
});

test("what a tool read: a file after its result, or that it is not read, in each API", async () => {
  const data = urlOf(bytes(300));
  const called = { id: "c1", type: "function", function: { name: "read", arguments: "{}" } };
  const conversations = [
    {
      path: "/v1/messages",
      body: {
        messages: [
          { role: "user", content: "read" },
          { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read", input: {} }] },
          ...user({ type: "tool_result", tool_use_id: "c1", content: [ask, block(data)] }),
        ],
      },
    },
    {
      path: "/v1/responses",
      body: {
        input: [
          { role: "user", content: "read" },
          { type: "function_call", call_id: "c1", name: "read", arguments: "{}" },
          {
            ...{ type: "function_call_output", call_id: "c1" },
            output: [
              { type: "input_text", text: ask.text },
              { type: "input_file", file_data: data, filename: "a.pdf" },
            ],
          },
        ],
      },
    },
  ];
  const unread = "[This document cannot be read here, only its text: a.pdf.]";
  for (const { path, body } of conversations)
    for (const [name, shown] of [
      [wholeText.id, [file(data)]],
      ["RelayV1", unread],
    ] as const) {
      at("openai");
      expect((await post(path, { ...body, model: name })).status).toBe(200);
      expect(seen().messages).toEqual([
        { role: "user", content: "read" },
        { role: "assistant", content: null, tool_calls: [called] },
        { role: "tool", tool_call_id: "c1", content: ask.text },
        { role: "user", content: shown },
      ]);
    }
  at("anthropic");
  const [{ body }] = conversations as [(typeof conversations)[0]];
  expect((await post("/v1/messages", body)).status).toBe(200);
  expect(JSON.stringify(seen().messages)).toContain(JSON.stringify(block(data)));
  expect((await post("/v1/messages", { ...body, model: "RelayV1" })).status).toBe(200);
  expect(JSON.stringify(seen().messages)).toContain(unread);
});

test("Responses: an upstream of its own API gets the part as it came", async () => {
  const usage = { input_tokens: 3000, output_tokens: 20, total_tokens: 3020 };
  at("openai", JSON.stringify({ ...response, output: [], usage }));
  const [, , { bodyOf }] = apis;
  const body = bodyOf(urlOf(bytes(300)));
  expect((await post("/v1/responses", { ...body, tools: [{ type: "web_search" }] })).status).toBe(
    200,
  );
  expect(setup.upstream.seen.at(-1)?.path).toMatch(/\/responses$/);
  expect(seen().input).toEqual(body.input);
  expect(await lastEnd()).toMatchObject({ amount: due });
});

test("an upstream that refuses the part gets it in the form of an image, and is charged once", async () => {
  at("openai");
  const data = urlOf(bytes(300));
  const known = (await setup.relay.ends()).length;
  setup.script = (to, { text }) =>
    text.includes('"type":"file"')
      ? sendJson(to, '{"error":{"code":400,"message":"Invalid content part type: file"}}', 400)
      : sendJson(to, answers.openai);
  expect((await post("/v1/chat/completions", { messages: user(file(data)) })).status).toBe(200);
  expect(seen().messages).toEqual(user({ type: "image_url", image_url: { url: data } }));
  const ends = (await setup.relay.ends()).slice(known);
  expect(ends).toMatchObject([{ outcome: "settled", amount: due }]);
});

test("a file by its id is refused by name", async () => {
  const byId = { type: "input_file", file_id: "file-1" };
  const part = { type: "file", file: { file_id: "file-1" } };
  for (const [path, body, param] of [
    ["/v1/chat/completions", { messages: user(part) }, "messages[0].content[0].file.file_id"],
    ["/v1/responses", { input: user(byId) }, "input[0].content[0].file_id"],
  ] as const) {
    const { status, json } = await post(path, body);
    expect([status, json.error?.param]).toEqual([400, param]);
  }
});
