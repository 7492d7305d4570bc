/** What clients send that upstreams refuse by a rule of theirs: of schemas, labels, choices and items. */
import { expect } from "vitest";
import type { PerDialect, Situation } from "./situation";
import { answered, both, tools } from "./tool-lists";
import { openai } from "./upstreams";

const user = { role: "user", content: "hello" };
const properties = { city: { type: "string" } };
const label = `${"session-".repeat(12)}end`;
const labelled: PerDialect<object> = {
  chat: { prompt_cache_key: label, user: label },
  messages: {},
  responses: { prompt_cache_key: label, user: label },
};
const chat = openai(...(both.openai === undefined ? [] : [both.openai]));

export const laterForms: readonly Situation[] = [
  answered(
    [
      "a tool whose schema has no members",
      "langchain-ai/langchain-mcp-adapters#137",
      "an empty list of them",
    ],
    both,
    tools({ type: "object" }),
    (_body, text) => expect(text).toContain('"properties":{}'),
  ),
  answered(
    ["a tool whose schema has null and a list of types", null, "one type, and no null"],
    both,
    tools({ type: ["object", "null"], properties, required: null }),
    (_body, text) => {
      expect(text).toContain('"type":"object"');
      expect(text).not.toMatch(/"required":null|\["object"/);
    },
  ),
  answered(
    [
      "labels of more than 64 characters",
      "alibaba/open-code-review#1007",
      "labels that are as long as may be, and the same each time",
    ],
    chat,
    labelled,
    ({ prompt_cache_key: key, user: name }) =>
      expect([key, name]).toEqual([
        expect.stringMatching(/^session-.{56}$/),
        expect.stringMatching(/^session-.{56}$/),
      ]),
  ),
  answered(
    ["`any` as the choice of a tool", null, "`required`"],
    chat,
    { chat: { tool_choice: "any" }, messages: {}, responses: {} },
    ({ tool_choice: choice }) => expect(choice).toBe("required"),
  ),
  answered(
    ["a result of a tool without the id of a call", "openai/codex#42088", "what it says"],
    both,
    {
      chat: {},
      messages: {},
      responses: { input: [user, { type: "function_call_output", name: "f", output: "noon" }] },
    },
    (_body, text) => expect(text).toContain("The result of an earlier tool call:\\nnoon"),
  ),
  answered(
    ["what an upstream made of an earlier conversation", null, "the rest"],
    both,
    {
      chat: {},
      messages: {
        messages: [
          user,
          {
            role: "assistant",
            content: [
              { type: "compaction", content: "We said hello." },
              { type: "text", text: "x" },
            ],
          },
          user,
        ],
      },
      responses: {},
    },
    (_body, text) => expect(text).not.toContain("compaction"),
  ),
];
