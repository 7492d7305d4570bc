/** A conversation whose calls are answered, each directly after it. */
import type { ChatRequest } from "../../contract/chat";
import { NO_RESULT, PairedCalls, saidByUser } from "../../dialects/paired-calls";
import type { JsonObject } from "../../upstream/provider";
import { isRecord } from "../../values/records";

type Message = ChatRequest["messages"][number];
type Part = Exclude<Message["content"], string | null | undefined>[number];

const callsOf = ({ tool_calls: calls }: Message): JsonObject[] =>
  Array.isArray(calls) ? calls.filter(isRecord) : [];

const partsOf = (content: Message["content"]): Part[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);

const resultOf = (call: JsonObject, pairs: PairedCalls): Message => ({
  ...(pairs.resultOf(call) ?? { content: NO_RESULT }),
  role: "tool",
  tool_call_id: pairs.idOf(call),
});

/** The result of a call that is not in the conversation, as the user's. */
const asUsers = ({ content }: Message): Message => ({
  role: "user",
  content: saidByUser<Part>(content),
});

/** `messages` itself where all is usual. */
export function withPairedCalls(messages: Message[]): Message[] {
  const pairs = new PairedCalls();
  for (const message of messages)
    if (message.role === "tool") pairs.result(message, message.tool_call_id);
    else {
      pairs.other();
      for (const call of callsOf(message)) pairs.call(call, call.id);
    }
  pairs.other();
  return pairs.isUsual ? messages : paired(messages, pairs);
}

function paired(messages: readonly Message[], pairs: PairedCalls): Message[] {
  const all: Message[] = [];
  /** The turn of calls whose results have not come yet: what the model says on belongs to it. */
  let calling: Message | null = null;
  for (const message of messages) {
    const calls = callsOf(message);
    if (message.role === "tool") {
      if (pairs.isLone(message)) all.push(asUsers(message));
      calling = null;
    } else if (calls.length > 0) {
      const tool_calls = calls.map((call) => ({ ...call, id: pairs.idOf(call) }));
      calling = { ...message, tool_calls };
      all.push(calling, ...calls.map((call) => resultOf(call, pairs)));
    } else if (calling !== null && message.role === "assistant") {
      calling.content = calling.content
        ? [...partsOf(calling.content), ...partsOf(message.content)]
        : message.content;
    } else {
      calling = null;
      all.push(message);
    }
  }
  return all;
}
