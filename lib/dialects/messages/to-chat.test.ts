import { describe, expect, test } from "vitest";
import { messagesRequest } from "../../contract/messages";
import { OWN_SIGNATURE } from "./answer-words";
import { toChat } from "./to-chat";

const base = { model: "RelayV1", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };

/** The chat request of a body that the schema accepts. */
function chatOf(fields: object) {
  const body = { ...base, ...fields };
  expect(messagesRequest.safeParse(body).error).toBeUndefined();
  return toChat(messagesRequest.parse(body));
}
const messagesOf = (...messages: object[]) => chatOf({ messages }).body.messages;
const user = (...content: object[]) => ({ role: "user", content });
const text = (said: string) => ({ type: "text", text: said });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const imagePart = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const weather = { name: "weather", description: "Tells it", input_schema: { type: "object" } };

describe("a conversation", () => {
  test("a system prompt of blocks becomes one message before the others", () => {
    const system = [{ ...text("a"), cache_control: { type: "ephemeral" } }, text("b")];
    expect(chatOf({ system }).body.messages).toEqual([
      { role: "system", content: "a\n\nb" },
      { role: "user", content: "hi" },
    ]);
  });

  test("images are passed by address and by content", () => {
    const link = { type: "image", source: { type: "url", url: "https://example.org/a.png" } };
    expect(messagesOf(user(text("see"), image, link))).toEqual([
      {
        role: "user",
        content: [
          text("see"),
          imagePart,
          { type: "image_url", image_url: { url: "https://example.org/a.png" } },
        ],
      },
    ]);
  });

  test("results of tools come before what the user says, their images after the results", () => {
    const result = (id: string, content: unknown, more = {}) => ({
      type: "tool_result",
      tool_use_id: id,
      content,
      ...more,
    });
    const messages = messagesOf(
      user(
        result("one", [text("sunny"), image]),
        result("two", "no such city", { is_error: true }),
        result("three", undefined),
        text("so?"),
      ),
    );
    expect(messages).toEqual([
      { role: "tool", tool_call_id: "one", content: "sunny" },
      { role: "tool", tool_call_id: "two", content: "Error: no such city" },
      { role: "tool", tool_call_id: "three", content: "" },
      { role: "user", content: [imagePart, text("so?")] },
    ]);
  });

  test("thinking of earlier turns is carried, calls keep their ids", () => {
    const messages = messagesOf({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: OWN_SIGNATURE },
        text("I look."),
        { type: "thinking", thinking: "so", signature: OWN_SIGNATURE },
        { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Rome" } },
      ],
    });
    const called = { name: "weather", arguments: '{"city":"Rome"}' };
    expect(messages).toEqual([
      {
        role: "assistant",
        content: "I look.",
        reasoning_content: "hm\n\nso",
        tool_calls: [{ id: "toolu_1", type: "function", function: called }],
      },
    ]);
  });

  test("what chat cannot carry of thinking is named, for an upstream that gets a chat request", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "theirs" },
      { type: "redacted_thinking", data: "opaque" },
    ];
    const said = { role: "assistant", content: [...content, text("hi")] };
    const { ignored, ignoredInChat } = chatOf({
      messages: [user(text("a")), { role: "assistant", content }, said],
    });
    expect([ignored, ignoredInChat]).toEqual([
      [],
      [
        "messages.content.signature",
        "messages.content.redacted_thinking",
        "messages.content.thinking",
      ],
    ]);
  });

  test("documents of text become text, and a PDF a file", () => {
    const plain = { type: "text", media_type: "text/plain", data: "body" };
    expect(messagesOf(user({ type: "document", title: "T", source: plain }))).toEqual([
      { role: "user", content: "T\n\nbody" },
    ]);
    const data = { type: "base64", media_type: "application/pdf", data: "AAAA" };
    const file = { file_data: "data:application/pdf;base64,AAAA", filename: "T" };
    expect(messagesOf(user({ type: "document", title: "T", source: data }))).toEqual([
      { role: "user", content: [{ type: "file", file }] },
    ]);
  });

  test("a conversation of nothing that can be sent is refused", () => {
    const messages = [{ role: "assistant", content: [{ type: "thinking" }] }];
    expect(() => chatOf({ messages })).toThrow("`messages` has nothing");
  });
});

describe("the other fields", () => {
  test("tools, their choice and their parallel use", () => {
    const { body } = chatOf({
      tools: [weather, { ...weather, name: "other", type: "custom", strict: true }],
      tool_choice: { type: "tool", name: "other", disable_parallel_tool_use: true },
    });
    const { input_schema: parameters, ...rest } = weather;
    expect(body.tools).toEqual([
      { type: "function", function: { ...rest, parameters } },
      { type: "function", function: { ...rest, name: "other", parameters, strict: true } },
    ]);
    expect(body.tool_choice).toEqual({ type: "function", function: { name: "other" } });
    expect(body.parallel_tool_calls).toBe(false);
    expect(chatOf({ tools: [weather], tool_choice: { type: "any" } }).body.tool_choice).toBe(
      "required",
    );
  });

  test("tools that run elsewhere are left out and named", () => {
    const { body, ignoredInChat = [] } = chatOf({
      tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 3 }],
      tool_choice: { type: "auto" },
      container: "c",
      messages: [user({ type: "server_tool_use", id: "s", name: "web_search" }, text("hi"))],
    });
    expect(body.tools).toBeUndefined();
    expect(body.tool_choice).toBeUndefined();
    expect([...ignoredInChat].sort()).toEqual([
      "container",
      "messages.content.server_tool_use",
      "tool_choice",
      "tools.web_search_20250305",
    ]);
  });

  test.each([
    [{ thinking: { type: "enabled", budget_tokens: 1024 } }, "low"],
    [{ thinking: { type: "enabled", budget_tokens: 10_000 } }, "medium"],
    [{ thinking: { type: "enabled", budget_tokens: 32_000 } }, "high"],
    [{ thinking: { type: "adaptive" } }, undefined],
    [{ thinking: { type: "disabled" } }, undefined],
    [{ thinking: { type: "adaptive" }, output_config: { effort: "max" } }, "high"],
    [{ output_config: { effort: "low" } }, "low"],
  ])("the effort of %j is %s", (fields, effort) => {
    const { body, ignored } = chatOf(fields);
    expect(body.reasoning_effort).toBe(effort);
    expect(ignored).toEqual([]);
  });

  test("a long user is not cut inside a character", () => {
    const { body } = chatOf({ metadata: { user_id: `${"u".repeat(63)}💥` } });
    expect(body.user).toBe("u".repeat(63));
  });

  test("sampling, stop sequences, the user and the form of the answer", () => {
    const schema = { type: "object", properties: {} };
    const { body, ignored } = chatOf({
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ["END"],
      stream: true,
      service_tier: "auto",
      metadata: { user_id: "u".repeat(100) },
      output_config: { format: { type: "json_schema", schema } },
    });
    expect(body).toMatchObject({
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop: ["END"],
      stream: true,
      user: "u".repeat(64),
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema },
      },
    });
    expect(ignored).toEqual([]);
  });
});
