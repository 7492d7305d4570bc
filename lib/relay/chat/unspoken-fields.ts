/** The fields of a chat request that the Messages API has no field for. */
import type { ChatRequest } from "../../contract/chat";
import { chatFieldsWithoutMessages } from "../../contract/messages-words";
import { isRecord } from "../../records";

/** The names of the fields whose value that API has no words for. */
export function unspokenFields(request: ChatRequest): string[] {
  const names = chatFieldsWithoutMessages.filter((name) => Object.hasOwn(request, name));
  const { response_format: format, temperature, top_p } = request;
  // It knows a schema of the answer, and no JSON without one.
  if (isRecord(format) && format.type === "json_object") names.push("response_format");
  // Its newer models take one of the two.
  if (typeof temperature === "number" && typeof top_p === "number") names.push("top_p");
  return names;
}
