/** Further forms of a request that some upstreams cannot read. */
import { expect } from "vitest";
import { goesOn } from "./history";
import { refusing } from "./plainer";
import type { Situation } from "./situation";

const reads = { text: "hi", calls: [], end: "stop", error: null };
const twice: Situation["check"] = (seen) => expect(seen).toHaveLength(2);
const got = "400 for every request";
const question = { role: "user", content: "hello" };
const systems = {
  chat: { messages: [{ role: "system", content: "be brief" }, question] },
  messages: { system: "be brief" },
  responses: { instructions: "be brief" },
};

export const furtherPlainer: readonly Situation[] = [
  {
    sent: "a refusal of ids of calls that are not its own",
    thread: "anomalyco/opencode#1680",
    got: "400 for every turn after a call",
    right: "asked again at once with ids of nine letters and digits",
    upstream: refusing(
      '"c1"',
      "Tool call id was c1 but must be a-z, A-Z, 0-9, with a length of 9.",
    ),
    asks: goesOn("relay"),
    reads,
    check: (seen) => {
      const ids = seen.at(-1)?.text.match(/"(?:id|tool_call_id)":"[a-z0-9]{9}"/g) ?? [];
      expect(new Set(ids.map((id) => id.slice(-10))).size).toBe(1);
      expect(ids).toHaveLength(2);
      expect(seen).toHaveLength(2);
    },
  },
  {
    sent: "a refusal of a call without the signature of its thinking",
    thread: "earendil-works/pi#1825",
    got: "400 for every turn after a call",
    right: "asked again at once, the call marked as one that has none",
    upstream: refusing(
      (text) => !text.includes('"extra_content"'),
      "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.",
    ),
    asks: goesOn("relay"),
    reads,
    check: twice,
  },
  {
    sent: "a refusal of the role `system`",
    got,
    right: "asked again at once with the instructions in the user's first message",
    upstream: refusing('"system"', "System role not supported"),
    asks: systems,
    reads,
    check: (seen) =>
      expect(seen.at(-1)?.body.messages).toEqual([{ role: "user", content: "be brief\n\nhello" }]),
  },
  {
    sent: "a refusal of a temperature",
    thread: "QwenLM/qwen-code#921",
    got,
    right: "asked again at once without it, which `x-relay-ignored-fields` says",
    upstream: refusing(
      '"temperature"',
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    ),
    asks: { temperature: 0.2 },
    reads,
    check: twice,
  },
  {
    sent: "a refusal of `developer`, as Python prints it",
    thread: "sgl-project/sglang#14304",
    got,
    right: "asked again at once as `system`",
    upstream: refusing(
      '"developer"',
      "[{'type': 'literal_error', 'loc': ('body', 'messages', 0, 'ChatCompletionMessageUserParam', 'role'), 'msg': \"Input should be 'user'\", 'input': 'developer', 'ctx': {'expected': \"'user'\"}}]",
    ),
    asks: {
      chat: { messages: [{ role: "developer", content: "be brief" }, question] },
      messages: {},
      responses: { input: [{ type: "message", role: "developer", content: "be brief" }, question] },
    },
    reads,
  },
];
