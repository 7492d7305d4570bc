/** Tests the tools that a client offers within its conversation, and searches for tools that it runs. */
import { expect, test } from "vitest";
import { plainText } from "@/testing/relay/whole-text";
import { type ResponsesRequest, responsesRequest } from "../../contract/responses";
import { validate } from "../../http/validate";
import { nativeOf } from "./native-request";
import { ResponseEvents } from "./response-events";
import { toAnswer } from "./to-answer";
import { toChat } from "./to-chat";

function checked(request: object): ResponsesRequest {
  const body: unknown = { model: "RelayV1", ...request };
  validate(responsesRequest, body);
  return body;
}

const user = { role: "user", content: "hello" };
const exec = { type: "custom", name: "exec" };
const wait = { type: "function", name: "wait", parameters: { type: "object" } };
const functions = { type: "namespace", name: "functions", tools: [exec, wait] };
const offering = (...tools: object[]) => ({ type: "additional_tools", role: "developer", tools });
const search = {
  type: "tool_search",
  execution: "client",
  description: "Finds tools.",
  parameters: { type: "object", properties: { query: { type: "string" } } },
};

const namesOf = (request: ResponsesRequest) =>
  JSON.stringify(toChat(request).body.tools ?? []).match(/(?<="function":\{"name":")[^"]*/g) ?? [];

/** The calls of an answer with this call. */
function calledIn(request: ResponsesRequest, name: string, text: string) {
  const context = {
    request,
    model: "RelayV1",
    operationHex: "a".repeat(32),
    requestId: "req_1",
    createdSeconds: 1,
    store: false,
    previousResponseId: null,
  };
  const calls = [{ index: 0, id: "c1", type: "function", function: { name, arguments: text } }];
  const message = { role: "assistant", content: null, tool_calls: calls };
  const answer = { choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
  const stream = new ResponseEvents(context);
  const chunk = { choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] };
  const events = [
    ...stream.chunk(chunk),
    ...stream.end({ usage: null, finishReason: "tool_calls" }),
  ];
  const done = events.find(({ type }) => type === "response.output_item.done");
  const { output } = toAnswer(answer, context);
  expect(output).toEqual([done?.item]);
  return { item: done?.item, types: events.map(({ type }) => type) };
}

test("tools within the conversation are offered, and called as they were offered", () => {
  const request = checked({ input: [offering(functions), user] });
  expect(namesOf(request)).toEqual(["functions__exec", "functions__wait"]);
  const { ignored, ignoredInChat, body } = toChat(request);
  expect([ignored, ignoredInChat, body.messages]).toEqual([[], [], [user]]);
  expect(calledIn(request, "functions__exec", '{"input":"ls"}').item).toMatchObject({
    ...{ type: "custom_tool_call", name: "exec", namespace: "functions", input: "ls" },
  });
});

const again = { ...wait, description: "Waits." };

test("a list that comes again replaces the tools of the same name", () => {
  const input = [offering(wait), user, offering(again, exec)];
  const { tools } = toChat(checked({ input, tools: [wait] })).body;
  expect(tools).toMatchObject([
    { function: { name: "wait", description: "Waits." } },
    { function: { name: "exec" } },
  ]);
});

test("if two tools of a list get the same upstream name, the first is offered and the other is reported", () => {
  const { body, ignoredInChat } = toChat(checked({ input: [offering(wait, again), user] }));
  expect(body.tools).toHaveLength(1);
  expect(body.tools).not.toMatchObject([{ function: { description: "Waits." } }]);
  expect(ignoredInChat).toEqual(["tools"]);
});

test("a search that the client runs is a function, and comes back as a search", () => {
  const request = checked({ input: [user], tools: [search, { type: "web_search" }] });
  expect(namesOf(request)).toEqual(["tool_search"]);
  expect(toChat(request).ignoredInChat).toEqual(["tools.web_search"]);
  const { item, types } = calledIn(request, "tool_search", '{"query":"time"}');
  expect(item).toMatchObject({
    ...{ type: "tool_search_call", call_id: "c1", execution: "client" },
    ...{ arguments: { query: "time" }, status: "completed" },
  });
  expect(types).not.toContain("response.function_call_arguments.delta");
});

test("what a search found is said, and offered", () => {
  const call = { type: "tool_search_call", call_id: "s1", execution: "client" };
  const request = checked({
    input: [
      user,
      { ...call, arguments: { query: "time" } },
      { type: "tool_search_output", call_id: "s1", tools: [wait] },
    ],
    tools: [search],
  });
  expect(namesOf(request)).toEqual(["tool_search", "wait"]);
  expect(toChat(request).body.messages.slice(1)).toMatchObject([
    { tool_calls: [{ function: { name: "tool_search", arguments: '{"query":"time"}' } }] },
    { role: "tool", tool_call_id: "s1", content: "Tools: wait" },
  ]);
});

test("a search that ran at a provider, and marks of a client, are left out and named", () => {
  const input = [
    user,
    { type: "tool_search_call", arguments: {}, execution: "server" },
    { type: "tool_search_output", tools: [] },
    { type: "compaction_trigger" },
    { type: "ghost_snapshot", ghost_commit: {} },
  ];
  const { body, ignoredInChat } = toChat(checked({ input }));
  expect(body.messages).toEqual([user]);
  expect(ignoredInChat).toEqual([
    "input.tool_search_call",
    "input.tool_search_output",
    "input.compaction_trigger",
    "input.ghost_snapshot",
  ]);
});

test("no tool within the conversation runs at an upstream of the same API", () => {
  const hosted = { type: "web_search" };
  const sold = { ...plainText, offers: { ...plainText.offers, passes: ["truncation"] } };
  const request = checked({
    input: [offering(wait, hosted), user, { type: "compaction_trigger" }],
    truncation: "auto",
  });
  const sent = JSON.parse(nativeOf(request)(sold, "openai")?.text("up", 5) ?? "null");
  expect(sent.input).toEqual([{ ...offering(wait) }, user]);
});
