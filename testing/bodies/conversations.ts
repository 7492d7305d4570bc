/** Parts of conversations that chat and the Messages API can both express, generated. */
import fc from "fast-check";
import type { ChatRequest } from "@/lib/contract/chat";

type Message = ChatRequest["messages"][number];

/** Something is said, with no space at its end: upstreams of the Messages API refuse other texts. */
export const said = fc
  .string({ minLength: 1, maxLength: 40, unit: "grapheme" })
  .map((text) => text.trimEnd() || "hello");
export const name = fc.stringMatching(/^[a-z][a-z_]{0,12}$/);
const json = fc.dictionary(name, fc.oneof(said, fc.integer(), fc.boolean(), fc.constant(null)), {
  maxKeys: 4,
});
const textPart = said.map((text) => ({ type: "text", text }));
const imagePart = fc
  .constantFrom("https://example.org/a.png", "data:image/png;base64,AAAA")
  .map((url) => ({ type: "image_url", image_url: { url } }));
/** A single text is said as a string. */
const parts = fc
  .array(fc.oneof(textPart, imagePart), { minLength: 1, maxLength: 4 })
  .filter(([first, ...more]) => more.length > 0 || first?.type === "image_url");
export const userMessage = fc
  .oneof(said, parts)
  .map((content) => [{ role: "user", content }] as Message[]);
export const assistantMessage = said.map(
  (content) => [{ role: "assistant", content }] as Message[],
);
export const call = fc.record({ id: name, name, input: json });
export const toolTurn = fc
  .tuple(fc.option(said), fc.array(call, { minLength: 1, maxLength: 3 }), said, fc.boolean())
  .map(([content, calls, result, isFollowed]) => {
    const tool_calls = calls.map(({ id, name: called, input }, at) => ({
      id: `${id}_${at}`,
      type: "function",
      function: { name: called, arguments: JSON.stringify(input) },
    }));
    const results = tool_calls.map(({ id }) => ({
      role: "tool",
      tool_call_id: id,
      content: result,
    }));
    const next = isFollowed ? [{ role: "user", content: result }] : [];
    return [{ role: "assistant", content, tool_calls }, ...results, ...next] as Message[];
  });
export const tool = fc
  .record({ name, description: said, parameters: json })
  .map((definition) => ({ type: "function", function: definition }));
