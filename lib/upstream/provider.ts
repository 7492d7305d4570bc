/** What a protocol adapter is given and what it must answer. Adapters report usage; they never touch money. */
import type { OutputCap } from "../contract/chat-fields";
import type { ChannelProtocol } from "../contract/states";

/** One configured way in to an upstream, its credential decrypted. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly protocol: ChannelProtocol;
  /** Without a trailing slash, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Catalogue identifier → the upstream's name for it. */
  readonly models: Readonly<Record<string, string>>;
  /** 0: no limit. */
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  /** The higher is tried first; weights share equal ones. */
  readonly priority: number;
  readonly weight: number;
  readonly timeoutSeconds: number | null;
  /** Chat fields that pass to this upstream beside those that always do; absent: none. */
  readonly allowedFields?: readonly string[];
  /**
   * The cap of an answer that this upstream keeps, its reasoning included: the one that the client sent, or always this one;
   * `none`: reasoning may exceed it, so holds take the model's most. Absent or null: the protocol's own.
   */
  readonly outputCap?: OutputCap | null;
}

export interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The upstream's own usage object. */
  readonly reported: JsonObject;
}

/** Why an attempt failed, as the relay needs to know it. */
export interface UpstreamFailure {
  /** A code of the failure table. */
  readonly code:
    | "upstream_failed"
    | "upstream_bad_response"
    | "upstream_timeout"
    | "content_rejected"
    | "upstream_concurrency_exceeded"
    | "invalid_value"
    | "no_channel_available";
  /** True when the upstream may have worked, and bill us, although the customer gets nothing. */
  readonly mayHaveCost: boolean;
  /** True when the attempt surely cost nothing upstream, so another channel may be tried. */
  readonly isSurelyFree: boolean;
  /** For our logs: status and codes, never the upstream's text. */
  readonly internal: string;
  /** True when it is our own credential, account or quota that failed: the operator is alarmed. */
  readonly isOperatorFault: boolean;
  /** The field to blame when the upstream said so, else null. */
  readonly param: string | null;
}

/** Why an answer came without usage that can be billed. */
export type UsageFault = "missing" | "absurd";

/** How an upstream ended an answer that was not a failure. */
export interface ChatEnd {
  readonly usage: ReportedUsage | null;
  readonly usageFault: UsageFault | null;
  /** True when text or a tool call was delivered. */
  readonly hasContent: boolean;
  /** The upstream's own id of the answer. */
  readonly upstreamRef: string | null;
}

export type JsonObject = Record<string, unknown>;

/** Who reads an answer that is too large to be held whole. */
export interface LargeAnswerListener {
  /** Members of the answer, each with a comma before it; `id`, `model` and `usage` are not among them. */
  onText(text: string): void;
  /** The reader kept the answer paused for too long. */
  onStall(): void;
  /** We end the answer here: what follows is read for its usage only. */
  onCut(failure: UpstreamFailure): void;
  /** Comes exactly once, last. `failure` is null when the answer is complete. */
  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void;
}

export interface LargeAnswer {
  /** Must be called, once: until then the answer is held back. */
  read(listener: LargeAnswerListener): StreamControl;
}

export type ChatResult =
  | { readonly isOk: true; readonly body: JsonObject; readonly end: ChatEnd; readonly large?: undefined; readonly firstByteMs: number }
  | { readonly isOk: true; readonly large: LargeAnswer; readonly firstByteMs: number }
  | { readonly isOk: false; readonly failure: UpstreamFailure };

/** Who reads a streamed answer. All calls come in order; `onEnd` comes exactly once, last. */
export interface ChatStreamListener {
  /** One chunk, parsed, with a `choices` array. */
  onChunk(chunk: JsonObject): void;
  /** After the chunks that arrived together. */
  onBatchEnd(): void;
  /** The reader kept the stream paused for too long. */
  onStall(): void;
  /** We end the answer here, after chunks that were passed on: what follows is read for its usage only. */
  onCut(failure: UpstreamFailure): void;
  /** `failure` is null when the answer is complete; it is the cut's when there was one. */
  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void;
}

/** Holds back and lets go the upstream's bytes. */
export interface StreamControl {
  pause(): void;
  resume(): void;
}

/** A chat protocol: `body` is the request's JSON text, complete. Neither call ever rejects or throws. */
export interface ChatProvider {
  complete(channel: Channel, body: string): Promise<ChatResult>;
  stream(channel: Channel, body: string, listener: ChatStreamListener): StreamControl;
  /** Ends every call that still runs, as failed. */
  abortAll(): void;
  close(): Promise<void>;
}
