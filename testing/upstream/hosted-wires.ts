/** What upstreams answer of several answers in chat, and of tools that they run in the two other APIs. */
import { event, messageUsage } from "./text-wires";

export const search = { type: "web_search_20250305", name: "web_search" };
export const hosted = [
  { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "a" } },
  { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] },
  { type: "text", text: "found" },
];

export const call = {
  type: "web_search_call",
  id: "ws_up",
  status: "completed",
  action: { query: "a" },
};
export const said = {
  type: "message",
  id: "msg_up",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "found", annotations: [] }],
};
export const response = {
  id: "resp_up",
  object: "response",
  status: "completed",
  model: "theirs",
  output: [call, said],
  usage: { input_tokens: 900, output_tokens: 20, total_tokens: 920 },
};

/** The hosted blocks as a stream, which ends with a pause. */
const block = (index: number, of: object) =>
  event("content_block_start", { index, content_block: of }) +
  event("content_block_stop", { index });
export const hostedStream = [
  event("message_start", { message: { id: "msg_up", usage: messageUsage(900, 1) } }),
  ...hosted.map((each, index) => block(index, each)),
  event("message_delta", { delta: { stop_reason: "pause_turn" }, usage: { output_tokens: 9 } }),
  event("message_stop"),
].join("");

const inPart = { output_index: 0, item_id: said.id, content_index: 0 };
export const responseStream = [
  event("response.created", { response: { ...response, output: [] } }),
  event("response.output_item.added", { output_index: 0, item: { ...said, content: [] } }),
  event("response.content_part.added", { ...inPart, part: { ...said.content[0], text: "" } }),
  event("response.output_text.delta", { ...inPart, delta: "found" }),
  event("response.output_item.done", { output_index: 0, item: said }),
  event("response.completed", { response: { ...response, output: [said] } }),
].join("");

/** One of several answers, whole and in pieces. */
export const choice = (index: number, text: string) => ({
  index,
  message: { role: "assistant", content: text },
  finish_reason: "stop",
});
export const piece = (index: number, delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "up", created: 1, choices: [{ index, delta, finish_reason: reason }] })}\n\n`;

/** What the events of a stream say. */
export const dataIn = (text: string) =>
  text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));
