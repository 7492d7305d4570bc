/** Reads an answer of the Responses API: a whole one, or its events. */
import { responseEndings } from "../../contract/response-events";
import type { ChatEnd, JsonObject } from "../provider";
import { referenceOf } from "../transport/answer-members";
import type { EventReader, StreamCall } from "../transport/stream-call";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { readUsage } from "./usage";

/** What tools of the upstream leave in an output, one item for each call. */
const hostedCalls: readonly unknown[] = [
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_call",
];
const beginnings: readonly unknown[] = [
  "response.created",
  "response.queued",
  "response.in_progress",
];

/** How a response ended; its calls are counted by what they left, or as the usage says, if that is more. */
function endOfResponse(response: JsonObject): ChatEnd {
  const output: unknown[] = Array.isArray(response.output) ? response.output : [];
  const { usage, fault } = readUsage(response.usage, response);
  const left = output.filter((item) => hostedCalls.includes(asObject(item)?.type)).length;
  const toolCalls = Math.max(left, usage?.toolCalls ?? 0);
  return {
    usage: usage && toolCalls > 0 ? { ...usage, toolCalls } : usage,
    usageFault: fault,
    hasContent: output.length > 0,
    upstreamRef: referenceOf(response),
  };
}

/** Null for a body that is no complete response. */
export const readResponse = (body: JsonObject) =>
  Array.isArray(body.output) && body.status !== "failed" && !body.error
    ? { body, end: endOfResponse(body) }
    : null;

export class ResponseReader implements EventReader {
  #last: JsonObject | null = null;
  #upstreamRef: string | null = null;
  #hasContent = false;

  get isWhole(): boolean {
    return this.#last !== null;
  }

  get isFinished(): boolean {
    return this.isWhole;
  }

  read(data: string, call: StreamCall): void {
    const event = parseUpstreamObject(data);
    if (event === null) {
      if (data !== "[DONE]") call.refuse("not an event");
      return;
    }
    const response = asObject(event.response);
    if (response !== null) this.#upstreamRef ??= referenceOf(response);
    if (event.type === "error") call.fail(event.error ?? event);
    else if (event.type === "response.failed") call.fail(response?.error ?? event);
    else this.#take(event, response, call);
  }

  #take(event: JsonObject, response: JsonObject | null, call: StreamCall): void {
    // Until something is said, the call may still fail as a whole.
    if (beginnings.includes(event.type)) return;
    const isLast = responseEndings.includes(event.type);
    this.#hasContent ||= !isLast;
    if (call.flow.cutFailure === null) call.forward({ choices: [event] });
    if (!isLast || response === null) return;
    this.#last = response;
    call.complete();
  }

  readWhole(body: JsonObject, call: StreamCall): boolean {
    if (readResponse(body) === null) return false;
    this.#take({ type: `response.${body.status ?? "completed"}`, response: body }, body, call);
    return true;
  }

  end(): ChatEnd {
    if (this.#last !== null) return endOfResponse(this.#last);
    const { usage, fault } = readUsage(null);
    const [hasContent, upstreamRef] = [this.#hasContent, this.#upstreamRef];
    return { usage, usageFault: fault, hasContent, upstreamRef };
  }
}
