/** The fields of a chat request that the Messages API has no field for. */
import type { ChatRequest } from "../../contract/chat";
import { thinkingBudget } from "../../contract/messages-thinking";
import { chatFieldsWithoutMessages } from "../../contract/messages-words";
import { isRecord } from "../../values/records";

/** What was thought in earlier turns: that API takes it only where an upstream of its own signed it. */
const thoughtFields = ["reasoning_content", "reasoning", "reasoning_details"] as const;

const isSigned = ({ tool_calls: calls }: ChatRequest["messages"][number]): boolean =>
  Array.isArray(calls) && calls.some((call) => isRecord(call) && call.extra_content !== undefined);

function thoughtsIn({ messages }: ChatRequest): string[] {
  const names: string[] = thoughtFields.filter((name) => messages.some((one) => one[name]));
  if (messages.some(isSigned)) names.push("tool_calls.extra_content");
  return names.map((name) => `messages.${name}`);
}

/** The names of the fields whose value that API has no words for, in a request with this cap. */
export function unspokenFields(request: ChatRequest, capTokens: number): string[] {
  const names = chatFieldsWithoutMessages.filter((name) => Object.hasOwn(request, name));
  const { response_format: format, temperature, top_p, n, service_tier: tier } = request;
  if (typeof n === "number" && n > 1) names.push("n");
  if (typeof tier === "string" && tier !== "auto" && tier !== "default") names.push("service_tier");
  // It knows a schema of the answer, and no JSON without one.
  if (isRecord(format) && format.type === "json_object") names.push("response_format");
  // A model that thinks draws its tokens in its own way; a newer one takes one of the two.
  const thinks = thinkingBudget(request, capTokens) !== null;
  const hasTemperature = typeof temperature === "number";
  if (hasTemperature && thinks) names.push("temperature");
  if (typeof top_p === "number" && (hasTemperature || thinks)) names.push("top_p");
  return [...names, ...thoughtsIn(request)];
}
