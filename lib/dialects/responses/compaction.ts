/**
 * The compaction of a conversation: the model writes a summary, which its client keeps as one item in
 * place of what was said. Codex asks for it at an address of its own, or by the last item of a request.
 */
import type { CompactRequest } from "../../contract/response-compaction";
import type { InputItem, ResponsesRequest } from "../../contract/responses";
import type { JsonObject } from "../text-dialect";
import { outputItemId } from "./item-ids";

const TRIGGER = "compaction_trigger";
const START = "relay.summary.";

/** What the model is asked for at the end of the conversation. */
export const SUMMARY_ORDER =
  "Write a summary of this conversation with which the work can go on without it: the task and what was asked for, what was decided and found out, the files, commands and names that matter, what is done, and what is to be done next. Answer with the summary alone.";
const SUMMARY_HEAD = "A summary of the conversation before this message:";

export const isCompaction = ({ input }: Pick<ResponsesRequest, "input">): boolean =>
  typeof input !== "string" && input.at(-1)?.type === TRIGGER;

/** The conversation without the item that asks for its compaction. */
export const toCompact = ({ input }: ResponsesRequest): ResponsesRequest["input"] =>
  typeof input === "string" ? input : input.slice(0, -1);

/** A request of a compaction in the words of any other request. */
export function compactionOf(request: CompactRequest): ResponsesRequest {
  const input = [...itemsOf(request), { type: TRIGGER } as const];
  return { ...request, input, store: false, stream: false, background: false };
}

const itemsOf = ({ input }: Pick<ResponsesRequest, "input">): readonly InputItem[] =>
  typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;

/** The summary as the model gets it, instead of the conversation; null for one of another provider. */
export function summaryIn({ encrypted_content: kept }: JsonObject): string | null {
  if (typeof kept !== "string" || !kept.startsWith(START)) return null;
  return `${SUMMARY_HEAD}\n\n${kept.slice(START.length)}`;
}

/** Nothing where the model wrote nothing: the client keeps its conversation. */
export const compactionOutput = (operationHex: string, text: string): JsonObject[] =>
  text.trim() === ""
    ? []
    : [
        {
          id: outputItemId("compaction", operationHex, 0),
          type: "compaction",
          encrypted_content: `${START}${text}`,
        },
      ];

type Message = Extract<InputItem, { role: string }>;
const isUsers = (item: InputItem): item is Message =>
  (item.type ?? "message") === "message" && "role" in item && item.role === "user";

/** The answer to a request for a compaction alone: what the user said, and then its item. */
export function compactedAnswer(response: JsonObject, request: ResponsesRequest): JsonObject {
  const { id, created_at, output, usage } = response;
  const said = itemsOf(request)
    .filter(isUsers)
    .map(({ content }) => ({
      type: "message",
      role: "user",
      status: "completed",
      content: typeof content === "string" ? [{ type: "input_text", text: content }] : content,
    }));
  const items: unknown[] = Array.isArray(output) ? output : [];
  return { id, object: "response.compaction", created_at, output: [...said, ...items], usage };
}
