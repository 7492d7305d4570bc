/** The forms in which text can be asked for: chat completions and every dialect. */
import type { Dialect } from "@/lib/contract/states";
import { hello } from "./test-relay";

export interface Form {
  readonly name: Dialect | "chat";
  readonly path: string;
  /** A request of 50 output tokens at most. */
  body(fields: object): object;
  /** The last text of a complete stream. */
  readonly last: RegExp;
  /** What a silent stream says. */
  readonly keepAlive: string;
  /** The code of an error, as a body or in a stream. */
  errorCode(json: Record<string, unknown>): unknown;
}

const memberOf = (value: unknown, name: string): unknown =>
  (value as Record<string, unknown> | undefined)?.[name];

export const forms: readonly Form[] = [
  {
    name: "chat",
    path: "/v1/chat/completions",
    body: (fields) => ({ model: "RelayV1", messages: hello, max_tokens: 50, ...fields }),
    keepAlive: ": keep-alive",
    last: /data: \[DONE\]\n\n$/,
    errorCode: (json) => memberOf(json.error, "code"),
  },
  {
    name: "messages",
    path: "/v1/messages",
    body: (fields) => ({ model: "RelayV1", messages: hello, max_tokens: 50, ...fields }),
    keepAlive: "event: ping",
    last: /event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/,
    errorCode: (json) => (json.type === "error" ? memberOf(json.error, "code") : undefined),
  },
  {
    name: "responses",
    path: "/v1/responses",
    // The tests name the fields as chat completions does.
    body: ({ messages, ...fields }: { messages?: unknown }) => ({
      model: "RelayV1",
      input: messages ?? "hello",
      max_output_tokens: 50,
      ...fields,
    }),
    keepAlive: ": keep-alive",
    last: /event: response\.completed\ndata: .*\n\n$/,
    errorCode: (json) =>
      json.type === "response.failed"
        ? memberOf(memberOf(json.response, "error"), "relay_code")
        : memberOf(json.error, "code"),
  },
];
