import { expect, test } from "vitest";
import { chatRequestOf, conversationText, readTools } from "./chat-request";

const settings = { model: "RelayV1", system: "" };
const picture = "data:image/png;base64,AAAA";

test("a message with pictures is sent in parts, one without as text, and one that failed not at all", () => {
  const turns = [
    { id: 1, role: "user", text: "What is this?", images: [picture] },
    { id: 2, role: "assistant", text: "" },
    { id: 3, role: "user", text: "Well?" },
  ] as const;
  expect(chatRequestOf({ ...settings, system: "Be brief." }, turns)).toEqual({
    model: "RelayV1",
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: picture } },
        ],
      },
      { role: "user", content: "Well?" },
    ],
  });
});

test("JSON and tools are asked for where they are set", () => {
  const toolsText = '[{"type":"function","function":{"name":"weather"}}]';
  expect(chatRequestOf({ ...settings, isJson: true, toolsText }, [])).toEqual({
    model: "RelayV1",
    response_format: { type: "json_object" },
    tools: [{ type: "function", function: { name: "weather" } }],
    messages: [],
  });
  expect(readTools("[1]")).toBeNull();
  expect(readTools("{}")).toBeNull();
  expect(readTools(" ")).toEqual([]);
});

test("a conversation is written with who said what", () => {
  const turns = [
    { id: 1, role: "user", text: "Hello" },
    { id: 2, role: "assistant", text: "**Hi**" },
  ] as const;
  expect(conversationText(turns, { you: "You", model: "RelayV1" })).toBe(
    "## You\n\nHello\n\n## RelayV1\n\n**Hi**\n",
  );
});

test("of several answers, the chosen one goes on, and all are written with their models", () => {
  const order = (model: string) => ({ key: model, settings: { ...settings, model } });
  const turns = [
    { id: 1, role: "user", text: "Hello" },
    { id: 2, role: "assistant", text: "Hi", isRival: true, order: order("RelayV1") },
    { id: 3, role: "assistant", text: "Hey", isRival: false, order: order("acme-text") },
    { id: 4, role: "user", text: "Well?" },
  ] as const;
  const sent = chatRequestOf({ ...settings, others: ["acme-text"] }, turns);
  expect(sent).toEqual({
    model: "RelayV1",
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hey" },
      { role: "user", content: "Well?" },
    ],
  });
  expect(conversationText(turns, { you: "You", model: "RelayV1" })).toContain(
    "## acme-text\n\nHey",
  );
});
