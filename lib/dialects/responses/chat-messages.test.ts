import { expect, test } from "vitest";
import { storedItems } from "../../contract/responses";
import { LeftOut } from "../left-out";
import { chatMessages } from "./chat-messages";

function readingOf(input: unknown) {
  const leftOut = new LeftOut();
  return { messages: chatMessages(null, storedItems.parse(input), leftOut, leftOut), leftOut };
}
const messagesOf = (input: unknown) => readingOf(input).messages;

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

test("reasoning, text and calls that follow each other are one message; outputs are the tools', and their images the user's", () => {
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
    { role: "tool", tool_call_id: "b", content: "two" },
    {
      role: "user",
      content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } }],
    },
    { role: "assistant", content: "First.", reasoning_content: "Done." },
    { role: "assistant", content: "Second." },
    { role: "user", content: "thanks" },
  ]);
});

test("what was thought and said between calls stays with them: their outputs must follow", () => {
  const call = (id: string) => ({
    ...{ type: "function_call", call_id: id, name: "look", arguments: "{}" },
  });
  const output = (id: string) => ({ type: "function_call_output", call_id: id, output: id });
  const thought = (text: string) => ({
    ...{ type: "reasoning", summary: [{ type: "summary_text", text }] },
  });
  const items = [thought("one"), call("a"), thought("two"), { role: "assistant", content: "So." }];
  expect(messagesOf([...items, call("b"), output("a"), output("b")])).toMatchObject([
    { role: "assistant", content: "So.", reasoning_content: "one\n\ntwo", tool_calls: [{}, {}] },
    { role: "tool", tool_call_id: "a" },
    { role: "tool", tool_call_id: "b" },
  ]);
});

test("reasoning that cannot be carried is named", () => {
  const { messages, leftOut } = readingOf([
    { type: "reasoning", summary: [], encrypted_content: "opaque" },
    { role: "assistant", content: "Hi." },
    { type: "reasoning", summary: [{ type: "summary_text", text: "unsaid" }] },
    { role: "user", content: "so?" },
  ]);
  expect(messages).toHaveLength(2);
  expect(leftOut.names).toEqual(["input.encrypted_content", "input.reasoning"]);
});

test("calls of the local shell are those of a function, and what foreign tools left is named", () => {
  const action = { type: "exec", command: ["ls"], env: {} };
  const { messages, leftOut } = readingOf([
    { role: "user", content: "go" },
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } },
    { type: "local_shell_call", call_id: "a", status: "completed", action },
    { type: "local_shell_call_output", id: "a", output: "file" },
  ]);
  const called = { name: "local_shell", arguments: JSON.stringify(action) };
  expect(messages).toEqual([
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: called }],
    },
    { role: "tool", tool_call_id: "a", content: "file" },
  ]);
  expect(leftOut.names).toEqual(["input.web_search_call"]);
});
