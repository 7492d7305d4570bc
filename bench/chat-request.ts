/** The bytes of one chat request, with its head. */
export function requestBytes(port: number, apiKey: string, isStream: boolean): Buffer {
  const body = JSON.stringify({
    model: "RelayV1",
    messages: [{ role: "user", content: "Say something short that is ready at once, please." }],
    max_tokens: 64,
    ...(isStream ? { stream: true } : {}),
  });
  const headers = `host: 127.0.0.1:${port}\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  return Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
}

/** One for each key. */
export function requestsOf(
  port: number,
  [first = "", ...others]: readonly string[],
  isStream: boolean,
): [Buffer, ...Buffer[]] {
  const of = (apiKey: string) => requestBytes(port, apiKey, isStream);
  return [of(first), ...others.map(of)];
}
