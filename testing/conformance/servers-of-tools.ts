/** Forms of tools, of their calls and of efforts that a server refuses, and what it gets in their place. */
import { expect } from "vitest";
import { refusing } from "./plainer";
import type { PerDialect, Situation } from "./situation";
import { tools } from "./tool-lists";

const reads = { text: "hi", calls: [], end: "stop", error: null };
const user = { role: "user", content: "hello" };
const got = "400 for every request";

const earlier = { name: "get_time", arguments: "{}" };
/** A conversation with a call, and without tools. */
const withoutTools: PerDialect<object> = {
  chat: {
    tools: undefined,
    messages: [
      user,
      {
        ...{ role: "assistant", content: null },
        tool_calls: [{ id: "c1", type: "function", function: earlier }],
      },
      { role: "tool", tool_call_id: "c1", content: "noon" },
    ],
  },
  messages: {
    tools: undefined,
    messages: [
      user,
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "get_time", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "noon" }] },
    ],
  },
  responses: {
    tools: undefined,
    input: [
      user,
      { type: "function_call", call_id: "c1", ...earlier },
      { type: "function_call_output", call_id: "c1", output: "noon" },
    ],
  },
};

const again = (
  [sent, thread, right]: readonly [sent: string, thread: string, right: string],
  refused: Parameters<typeof refusing>,
  asks: PerDialect<object>,
  check: (body: Record<string, unknown>) => void,
): Situation => ({
  ...{ sent: `a refusal of ${sent}`, thread, got, right: `asked again at once ${right}` },
  ...{ upstream: refusing(...refused), asks, reads },
  check: (seen) => {
    expect(seen).toHaveLength(2);
    check(seen[1]?.body ?? {});
  },
});

const effort: PerDialect<object> = {
  chat: { reasoning_effort: "medium" },
  messages: { thinking: { type: "enabled", budget_tokens: 10_000 } },
  responses: { reasoning: { effort: "medium" } },
};
const referring = {
  type: "object",
  properties: { at: { $ref: "#/$defs/at", description: "when", type: "string" }, any: {} },
  $defs: { at: { anyOf: [{ type: "string" }, { type: "null" }] } },
};

export const serversOfTools: readonly Situation[] = [
  again(
    [
      "earlier calls without tools",
      "aws-samples/bedrock-access-gateway#239",
      "with tools of their names",
    ],
    [
      (text) => !text.includes('"tools"'),
      "An error occurred (ValidationException) when calling the Converse operation: The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    ],
    withoutTools,
    ({ tools: sent }) => expect(sent).toMatchObject([{ function: { name: "get_time" } }]),
  ),
  again(
    [
      "references in the schema of a tool",
      "router-for-me/CLIProxyAPI#5316",
      "with a schema in the words that Kimi knows",
    ],
    [
      '"$ref"',
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.at': when using $ref, type should be defined in the referenced schema instead of the parent schema>",
    ],
    tools(referring),
    ({ tools: sent }) =>
      expect(sent).toMatchObject([
        {
          function: {
            parameters: {
              properties: {
                at: { type: "string", description: "when", nullable: true },
                any: { type: "string" },
              },
            },
          },
        },
      ]),
  ),
  again(
    ["a choice of one tool", "can1357/oh-my-pi#6925", "with that tool alone, which must be called"],
    [
      '"tool_choice":{',
      "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
    ],
    {
      chat: { tool_choice: { type: "function", function: { name: "get_time" } } },
      messages: { tool_choice: { type: "tool", name: "get_time" } },
      responses: { tool_choice: { type: "function", name: "get_time" } },
    },
    ({ tools: sent, tool_choice: choice }) => {
      expect(choice).toBe("required");
      expect(sent).toMatchObject([{ function: { name: "get_time" } }]);
    },
  ),
  again(
    ["an effort where the model does not think so", "ollama/ollama#12561", "without it"],
    ['"reasoning_effort"', 'think value "medium" is not supported for this model'],
    effort,
    (body) => expect(body.reasoning_effort).toBeUndefined(),
  ),
];
