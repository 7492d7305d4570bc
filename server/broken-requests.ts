/** Answers what is no request: a head that is too large, is not HTTP, or comes too slowly. */
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { newId } from "@/lib/crypto/ids";
import { RelayError } from "@/lib/failures/relay-error";
import { failureAnswer } from "@/lib/http/failure-answer";

/** Of an address with its query, and of all headers together, in bytes. */
export const HEAD_BYTES_MAX = 32 * 1024;
/** How long, and how many bytes, a client may go on sending before it reads the answer. */
const REST_MILLISECONDS = 1000;
const REST_BYTES_MAX = 1024 * 1024;

/** As Node answers them. */
const statuses: ReadonlyMap<string | undefined, number> = new Map([
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", 413],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
]);

/** The socket's answer that is being made; not part of Node's documented interface. */
interface Answering {
  readonly _httpMessage?: ServerResponse | null;
}

const headOf = (status: number, headers: Record<string, string>): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
  ].join("\r\n");

function tooLarge(): string {
  const started = { "x-request-id": newId("request"), "cache-control": "no-store" };
  const { status, headers, body } = failureAnswer(new RelayError("head_too_large"), started);
  const length = String(Buffer.byteLength(body));
  return `${headOf(status, { ...headers, "content-length": length })}\r\n\r\n${body}`;
}

/**
 * Writes the answer, and discards for a short while what still comes. Closing a connection with
 * unread bytes resets it, and the client would lose the answer.
 */
function answerAndLinger(socket: Socket, answer: string): void {
  let rest = 0;
  const cut = setTimeout(() => socket.destroy(), REST_MILLISECONDS);
  cut.unref();
  socket.once("close", () => clearTimeout(cut));
  // The parser reads no further.
  socket.removeAllListeners("data");
  socket.on("data", ({ length }: Buffer) => {
    rest += length;
    if (rest > REST_BYTES_MAX) socket.destroy();
  });
  socket.end(answer);
}

export function answerBrokenRequests(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket & Answering) => {
    // It has its answer, or a complete one to an earlier request that closes it.
    if (socket.writableEnded) return;
    const { _httpMessage: running } = socket;
    if (!socket.writable || running?.headersSent) return void socket.destroy();
    const bare = `${headOf(statuses.get(error.code) ?? 400, {})}\r\n\r\n`;
    if (running) {
      socket.write(bare);
      socket.destroy();
    } else answerAndLinger(socket, error.code === "HPE_HEADER_OVERFLOW" ? tooLarge() : bare);
  });
}
