/** A request of the Messages API without what an upstream of that API cannot read. */
import type { Reading } from "../contract/channel-profile";
import { isRecord } from "../values/records";
import { withPlainSchema } from "./plainer-schema";
import type { JsonObject } from "./provider";

type LeaveOut = (name: string) => void;

/** Fields of both APIs, by the name that a refusal has for them. */
const fields: Readonly<Partial<Record<Reading, string>>> = {
  temperature: "temperature",
  top_p: "top_p",
  stop: "stop_sequences",
  metadata: "metadata",
};

/** The model chooses among the tools, or has none where it is to use none. */
function withoutChoice(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  const { tool_choice: choice, ...free } = body;
  const type = isRecord(choice) ? choice.type : "auto";
  if (type !== "auto" && type !== "none") leaveOut("tool_choice");
  if (type !== "none") return free;
  const { tools: _, ...rest } = free;
  return rest;
}

function withPlainTools(body: JsonObject, leaveOut: LeaveOut): JsonObject {
  if (!Array.isArray(body.tools)) return body;
  leaveOut("tools.input_schema");
  const tools = body.tools.map((tool: unknown) =>
    isRecord(tool) ? { ...tool, input_schema: withPlainSchema(tool.input_schema) } : tool,
  );
  return { ...body, tools };
}

/** `text` itself when nothing of it is `unread`. */
export function plainerNative(
  text: string,
  unread: readonly Reading[],
  leaveOut: LeaveOut,
): string {
  if (unread.length === 0) return text;
  const read: unknown = JSON.parse(text);
  let body = isRecord(read) ? read : {};
  for (const name of unread) {
    const field = fields[name];
    if (field !== undefined && body[field] !== undefined) {
      const { [field]: _, ...rest } = body;
      leaveOut(field);
      body = rest;
    }
    if (name === "tool_choice") body = withoutChoice(body, leaveOut);
    if (name === "tool_schema") body = withPlainTools(body, leaveOut);
  }
  return JSON.stringify(body);
}
