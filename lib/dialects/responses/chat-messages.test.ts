import { expect, test } from "vitest";
import { storedItems } from "../../contract/responses";
import { chatMessages } from "./chat-messages";

const messagesOf = (input: unknown) => chatMessages(null, storedItems.parse(input));

test("messages keep their roles, texts and images", () => {
  const image = { type: "input_image", image_url: "https://example.com/a.png", detail: "low" };
  expect(
    messagesOf([
      { role: "developer", content: "Rules." },
      { type: "message", role: "system", content: [{ type: "input_text", text: "More." }] },
      { role: "user", content: [{ type: "input_text", text: "What is it?" }, image] },
      { role: "user", content: [] },
      {
        type: "message",
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "A fox.", annotations: [], logprobs: [] }],
      },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    ]),
  ).toEqual([
    { role: "developer", content: "Rules." },
    { role: "system", content: "More." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
      ],
    },
    { role: "user", content: "" },
    { role: "assistant", content: "A fox." },
    { role: "assistant", content: null, refusal: "No." },
  ]);
});

test("reasoning, text and calls that follow each other are one message; outputs are the tools'", () => {
  const call = (id: string) => ({
    type: "function_call",
    call_id: id,
    name: "look",
    arguments: "{}",
  });
  expect(
    messagesOf([
      { role: "user", content: "go" },
      { type: "reasoning", summary: [{ type: "summary_text", text: "I look." }] },
      { role: "assistant", content: "Looking." },
      call("a"),
      call("b"),
      { type: "function_call_output", call_id: "a", output: "one" },
      {
        type: "function_call_output",
        call_id: "b",
        output: [
          { type: "input_text", text: "two" },
          { type: "input_image", image_url: "data:image/png;base64,AA" },
        ],
      },
      { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Done." }] },
      { role: "assistant", content: "First." },
      { role: "assistant", content: "Second." },
      { type: "reasoning", summary: [{ type: "summary_text", text: "unsaid" }] },
      { role: "user", content: "thanks" },
    ]),
  ).toEqual([
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: "Looking.",
      reasoning_content: "I look.",
      tool_calls: ["a", "b"].map((id) => ({
        id,
        type: "function",
        function: { name: "look", arguments: "{}" },
      })),
    },
    { role: "tool", tool_call_id: "a", content: "one" },
    {
      role: "tool",
      tool_call_id: "b",
      content: [
        { type: "text", text: "two" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
      ],
    },
    { role: "assistant", content: "First.", reasoning_content: "Done." },
    { role: "assistant", content: "Second." },
    { role: "user", content: "thanks" },
  ]);
});
