import type { Kind } from "./options";
import { PACED } from "./pace";

export interface ChatRequest {
  /** Host and port. */
  readonly authority: string;
  readonly apiKey: string;
  readonly kind: Kind;
  /** Before `/chat/completions`. */
  readonly path?: string;
  readonly model?: string;
  /** More lines of the head. */
  readonly headers?: readonly string[];
}

export function requestBytes(request: ChatRequest): Buffer {
  const { authority, apiKey, kind, path = "/v1", model = "RelayV1", headers = [] } = request;
  const content = `Say something short that is ready at once, please.${kind === "paced" ? ` ${PACED}` : ""}`;
  const body = JSON.stringify({
    model,
    messages: [{ role: "user", content }],
    max_tokens: 64,
    ...(kind === "plain" ? {} : { stream: true }),
  });
  const head = [
    `POST ${path}/chat/completions HTTP/1.1`,
    `host: ${authority}`,
    ...(apiKey === "" ? [] : [`authorization: Bearer ${apiKey}`]),
    "content-type: application/json",
    `content-length: ${body.length}`,
    ...headers,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** One request to the product or the proxy for each key. */
export function requestsOf(
  port: number,
  [first = "", ...others]: readonly string[],
  kind: Kind,
): [Buffer, ...Buffer[]] {
  const of = (apiKey: string) => requestBytes({ authority: `127.0.0.1:${port}`, apiKey, kind });
  return [of(first), ...others.map(of)];
}
