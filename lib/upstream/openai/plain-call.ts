import type { ChatResult, JsonObject, UpstreamFailure } from "../provider";
import { failureOf, failureOfErrorMember } from "./failure-map";
import { type CallDeadlines, UpstreamCall } from "./upstream-call";
import { asObject, parseUpstreamObject } from "./upstream-json";
import { readUsage, usageOf } from "./usage";

const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** True when a message or a delta says something or calls a tool. */
export function carriesContent(message: JsonObject | null): boolean {
  if (!message) return false;
  for (const name of ["content", "tool_calls", "function_call", "reasoning_content", "reasoning", "refusal"]) {
    const value = message[name];
    if (value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)) return true;
  }
  return false;
}

/** The upstream's id of its answer, when it is fit to be stored. */
export function referenceOf(body: JsonObject): string | null {
  return typeof body.id === "string" && /^[\x21-\x7e]{1,128}$/.test(body.id) ? body.id : null;
}

/** A completion in one body. */
export class PlainCall extends UpstreamCall {
  #firstByteMs = 0;

  constructor(
    deadlines: CallDeadlines,
    onClosed: (call: UpstreamCall) => void,
    readonly resolve: (result: ChatResult) => void,
  ) {
    super(deadlines, onClosed);
  }

  protected onFailure(failure: UpstreamFailure): void {
    this.resolve({ isOk: false, failure });
  }

  protected onBegin(): void {
    this.hasBegun = true;
    this.lastProgressAt = performance.now();
    this.#firstByteMs = this.lastProgressAt - this.startedAt;
  }

  protected onBytes(chunk: Buffer): void {
    this.lastProgressAt = performance.now();
    if (!this.collect(chunk, BODY_BYTES_MAX)) this.fail(failureOf("upstream_bad_response", "body too large", { mayHaveCost: true }));
  }

  protected onClean(): void {
    const body = parseUpstreamObject(this.collected());
    if (body?.error) {
      this.fail(failureOfErrorMember(body.error));
      return;
    }
    const choices = body?.choices;
    if (!body || !Array.isArray(choices) || choices.length === 0 || !choices.every((choice) => asObject(asObject(choice)?.message))) {
      this.fail(failureOf("upstream_bad_response", "not a completion", { mayHaveCost: true }));
      return;
    }
    this.finish();
    const { usage, fault } = readUsage(usageOf(body));
    const hasContent = choices.some((choice) => carriesContent(asObject(asObject(choice)?.message)));
    const end = { usage, usageFault: fault, hasContent, upstreamRef: referenceOf(body) };
    this.resolve({ isOk: true, body, end, firstByteMs: this.#firstByteMs });
  }
}
