/**
 * A chat request as the sandbox receives it: the relay has checked some of its members, the others
 * may have any form.
 */

import { isRecord, listOf } from "../values/records";

export type Json = Readonly<Record<string, unknown>>;

export interface ChatBody {
  readonly model?: unknown;
  readonly messages?: unknown;
  readonly stream?: unknown;
  readonly stream_options?: unknown;
  readonly max_tokens?: unknown;
  readonly max_completion_tokens?: unknown;
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
  readonly parallel_tool_calls?: unknown;
  readonly functions?: unknown;
  readonly function_call?: unknown;
  readonly response_format?: unknown;
}

export interface Message extends Json {
  readonly content: unknown;
}

/** The error of a request that an upstream cannot follow, answered with status 400. */
export class ChatRefusal extends Error {
  constructor(
    message: string,
    readonly param: string,
    readonly code = "invalid_value",
  ) {
    super(message);
  }
}

/** The members of an object; none when the value is no object. */
export const membersOf = (value: unknown): Json => (isRecord(value) ? value : {});

export const messagesOf = (body: ChatBody): readonly Message[] =>
  listOf(body.messages).map((one) => ({ content: null, ...membersOf(one) }));
