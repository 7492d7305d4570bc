/** The interface of a protocol adapter. Adapters report usage and never touch points. */
import type { Profiled, Refusable } from "../contract/channel-profile";
import type { OutputCap } from "../contract/chat-fields";
import type { ChannelProtocol, RefusalReason } from "../contract/states";
import type { TierParts } from "../contract/text-tiers";
import type { InlineImages } from "../json/inline-images";

/** One of a channel's credentials. The weight is its share of the requests. */
export interface CredentialChoice {
  readonly name: string;
  readonly weight: number;
}

/** One configured channel to an upstream, with its credential decrypted. */
export interface Channel extends Profiled {
  readonly id: string;
  readonly name: string;
  readonly protocol: ChannelProtocol;
  /** Without a trailing slash, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Which of several credentials `apiKey` is; absent where none was chosen, or there is only one. */
  readonly credential?: CredentialChoice;
  /** The channel with each of its credentials; absent where it has only one. */
  readonly choices?: readonly Channel[];
  /** The proxy through which it is reached, with its user and password; absent for none. */
  readonly proxy?: string;
  /** Sent beside the relay's own, by lower-case name; absent for none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Catalogue identifier → the upstream's name for it. */
  readonly models: Readonly<Record<string, string>>;
  /** 0: no limit. */
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  /**
   * The highest priority is tried first. Channels of equal priority share the requests by weight.
   */
  readonly priority: number;
  readonly weight: number;
  readonly timeoutSeconds: number | null;
  /**
   * Chat fields that are passed to this upstream in addition to the usual ones; absent for none.
   */
  readonly allowedFields?: readonly string[];
  /**
   * The output cap that this upstream honours, reasoning included: the one that the client sent, or
   * always the named one. `none`: reasoning may exceed the cap, so holds cover the model's maximum.
   * Absent or null: the protocol's default.
   */
  readonly outputCap?: OutputCap | null;
}

export interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of the input and of the output, never more than these; absent when not counted apart. */
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  /** What else of the input is sound. */
  readonly inputAudioTokens?: number;
  readonly reasoningTokens?: number;
  /** What of the output is spoken; never in the reasoning too. */
  readonly audioTokens?: number;
  /** Calls of the upstream's own tools. */
  readonly toolCalls?: number;
  /** What is said of the tier that it was served at. */
  readonly tier?: TierParts;
  /** The usage object as the upstream sent it. */
  readonly reported: JsonObject;
}

export type CredentialFault = "refused" | "quota" | "busy";

/** Why an attempt failed. */
export interface UpstreamFailure {
  /** A code of the failure table in `failures.ts`. */
  readonly code:
    | "upstream_failed"
    | "upstream_bad_response"
    | "upstream_timeout"
    | "content_rejected"
    | "upstream_concurrency_exceeded"
    | "no_channel_available"
    | RefusalReason;
  /**
   * True when the upstream may have done the work, and may bill us, although the client gets
   * nothing.
   */
  readonly mayHaveCost: boolean;
  /** True when the attempt certainly cost nothing upstream, so another channel may be tried. */
  readonly isSurelyFree: boolean;
  /** For our logs: status and codes, never the upstream's text. */
  readonly internal: string;
  /** True when our own credential, account or quota failed: the operator is alarmed. */
  readonly isOperatorFault: boolean;
  /**
   * What is wrong with our credential, so that another one may work: it was refused, its account has
   * nothing left, or it is used too much. Absent when the failure is about anything else.
   */
  readonly credentialFault?: CredentialFault;
  /** The request field that the upstream blamed, or null. */
  readonly param: string | null;
  /** What of the request the upstream cannot read. */
  readonly unread?: readonly Refusable[];
  /** The tokens that were sent or asked for, and how many of them the upstream takes. */
  readonly tokens?: { readonly asked: number | null; readonly allowed: number };
  /** A smaller output cap with which the upstream would have taken the request. */
  readonly capMax?: number;
  /** For how long the upstream asks to be left alone. */
  readonly waitSeconds?: number;
  /** The HTTP status of a refusal; absent where the upstream sent none, or one of success. */
  readonly status?: number;
  /** The upstream's own words, for operators only: they may quote prompts. At most 500 characters. */
  readonly said?: string;
}

/** Why an answer came without usage that can be billed. */
export type UsageFault = "missing" | "absurd";

/** How an answer ended that was not a failure. */
export interface ChatEnd {
  readonly usage: ReportedUsage | null;
  readonly usageFault: UsageFault | null;
  /** True when text or a tool call was delivered. */
  readonly hasContent: boolean;
  /** The upstream's own id of the answer. */
  readonly upstreamRef: string | null;
}

export type JsonObject = Record<string, unknown>;

/** The members of a choice that are not forwarded, as JSON texts. */
export interface KeptChoice {
  readonly message: string | null | undefined;
  readonly finishReason: string | null | undefined;
}

/** Reads an answer that is too large to buffer. */
export interface LargeAnswerListener {
  /**
   * Members of the answer, each with a comma before it. `id`, `model`, `object` and `usage` are not
   * among them.
   */
  onText(text: string): void;
  /** The rest of the answer's choice in another form, with its end; null for as it came. */
  mendedChoice?(choice: KeptChoice): string | null;
  /** The choices after the first, as they came; without it they are left out. */
  onOthers?(text: string): void;
  /** The reader has kept the answer paused for too long. */
  onStall(): void;
  /** The relay cuts the answer here. The rest is read for its usage only. */
  onCut(failure: UpstreamFailure): void;
  /** Called exactly once, last. `failure` is null when the answer is complete. */
  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void;
}

export interface LargeAnswer {
  /** Must be called exactly once: the answer is held back until then. */
  read(listener: LargeAnswerListener): StreamControl;
}

export type ChatResult =
  | {
      readonly isOk: true;
      readonly body: JsonObject;
      readonly end: ChatEnd;
      readonly large?: undefined;
      readonly firstByteMs: number;
    }
  | { readonly isOk: true; readonly large: LargeAnswer; readonly firstByteMs: number }
  | { readonly isOk: false; readonly failure: UpstreamFailure };

/** Two chunks that differ in one string, which is `a` in the first and `b` in the second. */
export type ChunkSamples = readonly [JsonObject, JsonObject];

/** Takes the varying string of a chunk, without its quotes, as `JSON.stringify` writes it. */
export type TakeString = (json: string) => void;

/** Reads a streamed answer. All calls come in order; `onEnd` comes exactly once, last. */
export interface ChatStreamListener {
  /** One chunk, parsed, with a `choices` array. */
  onChunk(chunk: JsonObject): void;
  /**
   * Chunks may follow that are as `samples`, but for that string. Returns what takes that string in
   * place of such a chunk. Null, or no such member: every chunk comes to `onChunk`.
   */
  openRepeats?(samples: ChunkSamples): TakeString | null;
  /** Called after the chunks that arrived together. */
  onBatchEnd(): void;
  /** The reader has kept the stream paused for too long. */
  onStall(): void;
  /**
   * The relay cuts the answer here, after chunks that were forwarded. The rest is read for its
   * usage only.
   */
  onCut(failure: UpstreamFailure): void;
  /**
   * `failure` is null when the answer is complete. After a cut it is the failure that caused the
   * cut.
   */
  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void;
}

/** Pauses and resumes the upstream's bytes, or ends the call. */
export interface StreamControl {
  pause(): void;
  resume(): void;
  /** Ends the call at once. A reader that was shown a part of the answer sees a cut. */
  stop(failure: UpstreamFailure): void;
}

/**
 * A chat protocol. `body` is the complete JSON text of a chat request. With `isNative` it is one of
 * the channel's own format, and the answer comes in that format: its body, and its events as the
 * only member of a chunk's `choices`. At a channel whose streams are made from the answer, `body` asks
 * for a whole one. `images`: what addresses in the body represent. Neither call rejects or throws.
 */
export interface ChatProvider {
  complete(
    channel: Channel,
    body: string,
    isNative?: boolean,
    images?: InlineImages,
  ): Promise<ChatResult>;
  stream(
    channel: Channel,
    body: string,
    listener: ChatStreamListener,
    isNative?: boolean,
    images?: InlineImages,
  ): StreamControl;
  /** Ends every running call as failed. */
  abortAll(): void;
  close(): Promise<void>;
}
