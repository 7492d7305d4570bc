/**
 * An upstream as agents meet them, all its habits at once: it knows no `developer`, repeats ids in
 * each piece, gives two calls one index, sends null arguments, is silent for long, and compresses.
 * It asks for a tool twice in one answer, then once, and then it is done.
 */
import { gzipSync } from "node:zlib";
import { pause } from "@/lib/timing/pause";
import { isObject, isRecord } from "@/lib/values/records";
import { chunk, completion, type Script, usageChunk, usageOf } from "../upstream/test-upstream";

export const DONE = "All three were looked at.";
export const LOOKED_AT = ["north", "south", "both"];
const usage = usageOf(100, 20);
const KNOWN_ROLES = ["system", "user", "assistant", "tool"];

/** The call with which one of the offered tools looks at a place; null for none. */
export type CallOf = (
  tools: readonly unknown[],
  place: string,
) => { readonly name: string; readonly arguments: string } | null;

const looking: CallOf = ([tool], place) =>
  isRecord(tool) && isRecord(tool.function)
    ? { name: String(tool.function.name), arguments: JSON.stringify({ place }) }
    : null;

/** What the model wants after so many results of its calls. */
function wanted(callOf: CallOf, tools: readonly unknown[], results: number) {
  const call = (id: string, place: string) => {
    const called = callOf(tools, place);
    return called === null ? [] : [{ id, type: "function", function: called }];
  };
  if (results === 0) return [...call("a1", "north"), ...call("a2", "south")];
  return results === 2 ? call("a3", "both") : [];
}

function pieces(calls: ReturnType<typeof wanted>): string[] {
  if (calls.length === 0) return [chunk({ content: DONE }), chunk({}, {}, "stop")];
  const told = calls.flatMap(({ id, type, function: { name, arguments: text } }) => {
    const of = (name: string | null, part: string | null) =>
      chunk({ tool_calls: [{ index: 0, id, type, function: { name, arguments: part } }] });
    return [of(name, null), of(null, text.slice(0, 6)), of(null, text.slice(6))];
  });
  return [...told, chunk({}, {}, "tool_calls")];
}

const refusal = (at: number, role: unknown) =>
  JSON.stringify({
    error: {
      message: `Failed to deserialize the JSON body into the target type: messages[${at}].role: unknown variant \`${String(role)}\`, expected one of ${KNOWN_ROLES.map((known) => `\`${known}\``).join(", ")} at line 1 column 57`,
      type: "invalid_request_error",
    },
  });

/** `silenceMs`: how long it thinks before each answer. `callOf`: which tool it calls, and how. */
export const difficult =
  (silenceMs: number, callOf = looking): Script =>
  async (response, { body }) => {
    const messages = (Array.isArray(body.messages) ? body.messages : []).filter(isObject);
    const roles = messages.map((message) => ("role" in message ? message.role : null));
    const unknown = roles.findIndex((role) => !KNOWN_ROLES.includes(String(role)));
    const compressed = { "content-encoding": "gzip" };
    if (unknown >= 0) {
      response.writeHead(400, { "content-type": "application/json", ...compressed });
      response.end(gzipSync(refusal(unknown, roles[unknown])));
      return;
    }
    const tools = Array.isArray(body.tools) ? body.tools : [];
    const calls = wanted(callOf, tools, roles.filter((role) => role === "tool").length);
    if (body.stream === true) {
      response.writeHead(200, { "content-type": "text/plain", ...compressed });
      response.flushHeaders();
      await pause(silenceMs);
      response.end(gzipSync([...pieces(calls), usageChunk(usage), "data: [DONE]\n\n"].join("")));
      return;
    }
    await pause(silenceMs);
    const message = { role: "assistant", content: calls.length > 0 ? null : DONE };
    const choice = {
      ...{ index: 0, finish_reason: calls.length > 0 ? "tool_calls" : "stop" },
      message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
    };
    response.writeHead(200, { "content-type": "application/json", ...compressed });
    response.end(gzipSync(completion("", { usage, choices: [choice] })));
  };
