/**
 * A situation that users of gateways reported: what an upstream does, and what each client must read
 * of it. `server/conformance.test.ts` brings every client into each, at upstreams of each protocol.
 */
import type { ChannelProtocol } from "@/lib/contract/states";
import type { Channel } from "@/lib/upstream/provider";
import { charged, free, lost } from "../relay/text-situations";
import type { Script, TestUpstream } from "../upstream/test-upstream";

export type Spoken = "chat" | "messages" | "responses";
export type Form = "plain" | "stream";
type Protocol = Extract<ChannelProtocol, "openai" | "anthropic">;

/** What a client's library makes of an answer, in the same words for all of them. */
export interface Reading {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  /** The details of its usage, where the library has them. */
  readonly counts?: object;
  readonly end: "stop" | "calls" | "length" | "filter" | "error";
  /** What the library throws or shows as the answer's error. */
  readonly error: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
  } | null;
}

/** One for all dialects, or one for each. */
export type PerDialect<Value> = Value | Readonly<Record<Spoken, Value>>;

/** What the answers of one upstream are, by the form that was asked for. */
export type Answers = Readonly<Partial<Record<Form, Script>>>;

export interface Situation {
  /** What the upstream sends, in words. Names the situation. */
  readonly sent: string;
  /** The public thread that reports it, as `owner/repository#number`; none for our own trials. */
  readonly thread?: string | null;
  /** What clients got before. */
  readonly got: string;
  /** What is right, in words. */
  readonly right: string;
  /** What it sends; a protocol or a form in which it cannot occur is absent. */
  readonly upstream: Readonly<Partial<Record<Protocol, Answers>>>;
  /** Members of the request beside the usual ones. */
  readonly asks?: PerDialect<object>;
  /** What is right: matched against the reading of each client. */
  readonly reads: PerDialect<Partial<Reading> | object>;
  /** How the operation ends; absent: it is charged by its usage. Several for several attempts. */
  readonly ends?: keyof typeof endings | readonly (keyof typeof endings)[];
  /** What is special about the channel. */
  readonly channel?: Partial<Channel>;
  /** A further check, of what came upstream. */
  readonly check?: (seen: TestUpstream["seen"], spoken: Spoken, form: Form) => void;
}

export const endings = { charged, free, lost } as const;

/** The same value for each dialect, unless there is one for it. */
export function forDialect<Value extends object>(value: PerDialect<Value>, spoken: Spoken): Value {
  return isPerDialect(value) ? value[spoken] : value;
}

const isPerDialect = <Value extends object>(
  value: PerDialect<Value>,
): value is Readonly<Record<Spoken, Value>> =>
  "chat" in value && "messages" in value && "responses" in value;

/** What is said of a situation, in the order of the table. */
export type Words = readonly [sent: string, thread: string | null, got: string, right: string];
