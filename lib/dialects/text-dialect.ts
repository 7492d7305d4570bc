/**
 * A dialect of the text family: another API's way of asking for text, translated at the edge. Its
 * functions are pure. Holds, channels, charges, limits and the log are those of the family, whose
 * canonical form is the chat request, the chat answer and the chat chunk.
 */
import type { z } from "zod";
import type { ChatRequest } from "../contract/chat";
import type { ChannelProtocol } from "../contract/states";
import type { FailureCode } from "../failures/failure-table";
import type { RelayError } from "../failures/relay-error";
import type { Asks, SoldText } from "./text-asks";

export type JsonObject = Record<string, unknown>;

/** A request in canonical form. */
export interface CanonicalRequest {
  /** `stream` is set here too. */
  readonly body: ChatRequest;
  /**
   * Paths of the request's fields that have no canonical form, such as `tools.web_search`. The
   * client finds them in `x-relay-ignored-fields`.
   */
  readonly ignored: readonly string[];
  /** Those that only an upstream of the same API gets. */
  readonly ignoredInChat?: readonly string[];
  /** Canonical field → the name that this API has for it, where that differs. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /**
   * For a channel whose upstream speaks the same API; the same each time for one model. Null at a channel of
   * another protocol, or where chat says the same; absent where no upstream is asked in this API.
   */
  readonly native?: (sold: SoldText, protocol: ChannelProtocol) => NativeRequest | null;
  /** The tools whose calls are told with the input itself as their arguments; absent for none. */
  readonly customs?: ReadonlySet<string>;
  /** Throws `unsupported_value` for what only some models offer. */
  readonly assertOffered?: (sold: SoldText) => void;
}

/** A request that an upstream of the same API gets without a translation. */
export interface NativeRequest {
  /** What can count as input, and its bytes. */
  readonly input: string;
  readonly bytes: number;
  /** Paths of the request's fields that no upstream of the same API takes from here. */
  readonly ignored: readonly string[];
  readonly asks: Asks;
  /** What is sent as headers, by lower-case name; absent for none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON text for an upstream. */
  text(upstreamModel: string, capTokens: number): string;
}

/** What an answer is made of besides the upstream's text. */
export interface AnswerContext<Request> {
  /** The request as the client sent it. */
  readonly request: Request;
  /** The model as the request names it. */
  readonly model: string;
  /**
   * 32 hexadecimal digits of the operation. The ids of an answer and its parts are made of them and
   * of a number, so that they are unique.
   */
  readonly operationHex: string;
  readonly requestId: string;
  /** When the request came, in epoch seconds. */
  readonly createdSeconds: number;
  /** What the request's input is about, before the upstream has counted it. */
  readonly inputTokensEstimate?: number;
}

/** One server-sent event. Its `type` is the name of the event, too. */
export interface DialectEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What is known once the charge of a streamed answer is durable. */
export interface StreamEnd {
  /** The upstream's report, with the charge in `points`; null when it reported none to bill. */
  readonly usage: JsonObject | null;
  /** The last `finish_reason` among the chunks; null when there was none. */
  readonly finishReason: string | null;
}

/**
 * Turns the chunks of one answer into the dialect's events. Its state is bounded, whatever the
 * upstream sends. The first call returns the events that begin an answer before its own.
 */
export interface DialectStream {
  /** A chunk as the upstream sent it: only `choices` is known to be an array, and not empty. */
  chunk(canonicalChunk: JsonObject): readonly DialectEvent[];
  /** The last events of a complete answer. They are sent after its charge is durable. */
  end(final: StreamEnd): readonly DialectEvent[];
  /** The last events of an answer that ends early. */
  fail(error: RelayError): readonly DialectEvent[];
}

/** An error answer: the status, and the body as JSON. */
export interface DialectFailure {
  readonly status: number;
  readonly body: JsonObject;
}

/** A comment: no client reads it as an event. */
export const KEEP_ALIVE = ": keep-alive\n\n";

export interface TextDialect<Request> {
  readonly name: "messages" | "responses";
  /** Checks a request. A field that it does not know is not an error. */
  readonly schema: z.ZodType<Request>;
  /** The request with the fields that its API has as headers; absent where it has none. */
  withHeaders?(request: Request, header: (name: string) => string | undefined): Request;
  /** Throws `unsupported_value` for what no schema can refuse. */
  toChat(request: Request): CanonicalRequest;
  /**
   * `chatAnswer`: a complete chat answer as the upstream sent it, whose `choices` each have a
   * `message` object. Its `usage` is the upstream's report with the charge in `points`, or absent.
   */
  toAnswer(chatAnswer: JsonObject, context: AnswerContext<Request>): JsonObject;
  openStream(context: AnswerContext<Request>): DialectStream;
  /** The event of a stream that says only that the answer is still being made; at any time. */
  readonly keepAlive: string;
  /**
   * The same for answers of an upstream that speaks this API: the message with a chat answer's id,
   * model and usage, and its events, each as the only choice of a chunk.
   */
  readonly native?: Pick<TextDialect<Request>, "toAnswer" | "openStream">;
  /** Refusals that clients of streams understand only as the end of a stream. */
  readonly streamedRefusals?: readonly FailureCode[];
  /** Also for errors before the body was read. */
  toError(error: RelayError, requestId: string): DialectFailure;
}
