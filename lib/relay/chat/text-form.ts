/** The form in which a client asks for text and reads its answer. */
import type { Principal } from "../../accounts/principal";
import type { Dialect } from "../../contract/states";
import type { CanonicalRequest } from "../../dialects/text-dialect";
import type { RelayError } from "../../failures/relay-error";
import type { Outgoing } from "../../http/exchange";
import type { Micropoints } from "../../money/points";
import type { ChatEnd, ChunkSamples, JsonObject, LargeAnswer } from "../../upstream/provider";
import type { TextOperation } from "./text-operation";

/** Writes one streamed answer. */
export interface StreamWriter {
  /** The text for a chunk; empty when the client sees nothing of it. */
  chunk(chunk: JsonObject): string;
  /**
   * The texts before and after the varying string of chunks like the samples. Null, or no such member:
   * each chunk is written by itself.
   */
  around?(samples: ChunkSamples): { readonly before: string; readonly after: string } | null;
  /** The last text of a complete answer, written when its charge is durable. */
  end(end: ChatEnd, amount: Micropoints): string | Promise<string>;
  /** The last text of an answer that ends early. */
  fail(error: RelayError): string;
}

/** Writes the answer of one operation. */
export interface AnswerWriter {
  /** The event of a stream that says only that the answer is still being made. */
  readonly keepAlive: string;
  /** True when the request, with its images, is stored with its answer. */
  readonly keepsRequest: boolean;
  /** The whole answer. `body` is the upstream's and may be changed. */
  whole(body: JsonObject, end: ChatEnd): string | Promise<string>;
  /**
   * Answers with what is too large to parse at once. `onEnded` is called when the operation has
   * ended.
   */
  large(answer: LargeAnswer, onEnded: () => void): Promise<Outgoing>;
  stream(): StreamWriter;
  /**
   * The whole stream of a request that was refused, where the client understands the error only so. Null,
   * or no such member: it is answered as any error.
   */
  refusedStream?(error: RelayError): string | null;
}

/** `Prepared`: the request with what it refers to. */
export interface TextForm<Request, Prepared = Request> {
  /** Null for the family's own form. */
  readonly dialect: Dialect | null;
  /** Reads what the request refers to. Throws for what does not exist. */
  prepare(
    request: Request,
    principal: Principal,
    header: (name: string) => string | undefined,
  ): Prepared | Promise<Prepared>;
  /** Frees the memory of what was read. Called once, when the operation has ended. */
  release?(request: Prepared): void;
  toChat(request: Prepared): CanonicalRequest;
  openWriter(operation: TextOperation, request: Prepared): AnswerWriter;
  /** The answer to a request that nobody waits for; null for any other, and no such member where there is none. */
  accepted?(operation: TextOperation, request: Prepared): string | null;
}
