/** Refusals that users of real servers met, each with its public thread, and what they mean. */
import type { Reading, Refusable } from "@/lib/contract/channel-profile";
import type { UpstreamFailure } from "@/lib/upstream/provider";

export interface KnownRefusal {
  /** Whose server answers so. */
  readonly maker: string;
  /** Owner, repository and number at GitHub; null for what its maker's documents say. */
  readonly thread: string | null;
  readonly status: number;
  readonly body: unknown;
  readonly code: UpstreamFailure["code"];
  /** The tokens that fit, or the largest cap, as the words say. */
  readonly allowed?: number;
  readonly asked?: number;
  /** The cap with which the request would have been taken. */
  readonly capMax?: number;
  readonly unread?: readonly Refusable[];
}

/** Whose it is and its thread; the status is 400 unless it is said. */
type Source = readonly [maker: string, thread: string | null, status?: number];

export const refusal = (
  [maker, thread, status = 400]: Source,
  body: unknown,
  code: KnownRefusal["code"],
  more: Partial<KnownRefusal> = {},
): KnownRefusal => ({ maker, thread, status, body, code, ...more });

/** Of a conversation that does not fit. */
export const overLong = (source: Source, body: unknown, told: Partial<KnownRefusal> = {}) =>
  refusal(source, body, "context_length_exceeded", told);
/** Of a cap on the answer. */
export const overCap = (source: Source, body: unknown, told: Partial<KnownRefusal> = {}) =>
  refusal(source, body, "max_tokens_too_large", told);
/** Of what a tool's schema says. */
export const badSchema = (source: Source, body: unknown, more: Partial<KnownRefusal> = {}) =>
  refusal(source, body, "invalid_tool_schema", more);
/** Of messages in a wrong order, or without their thinking. */
export const badHistory = (source: Source, body: unknown, more: Partial<KnownRefusal> = {}) =>
  refusal(source, body, "invalid_history", more);
export const badImage = (source: Source, body: unknown) => refusal(source, body, "invalid_image");
/** Of what the content says. */
export const rejected = (source: Source, body: unknown) =>
  refusal(source, body, "content_rejected");
/** Of what the server does not know. */
export const notKnown = (source: Source, body: unknown, ...unread: readonly Reading[]) =>
  refusal(source, body, "unsupported_value", unread.length > 0 ? { unread } : {});

export const openAi = (
  message: string,
  code: string | null = null,
  param: string | null = null,
) => ({
  error: { message, type: "invalid_request_error", param, code },
});
export const anthropic = (message: string, type = "invalid_request_error") => ({
  type: "error",
  error: { type, message },
});
export const oldVllm = (message: string) => ({
  object: "error",
  message,
  type: "BadRequestError",
  param: null,
  code: 400,
});
export const dashScope = (message: string, code = "invalid_parameter_error") => ({
  error: { code, message: `<400> InternalError.Algo.${message}`, param: null, type: code },
  request_id: "81a3",
});
export const ark = (message: string, param = "", code = "InvalidParameter") => ({
  error: { code, message: `${message} Request id: 0217`, param, type: "BadRequest" },
});
export const gemini = (message: string) => ({
  error: { code: 400, message, status: "INVALID_ARGUMENT" },
});
export const mistral = (...names: string[]) => ({
  detail: names.map((name) => ({
    type: "extra_forbidden",
    loc: ["body", name],
    msg: "Extra inputs are not permitted",
    input: false,
  })),
});
