/** Connections for undici that a flood of response headers cannot slow down. */
import type { Socket } from "node:net";
import { buildConnector } from "undici";
import type { Tunnel } from "./proxy-tunnel";

/**
 * When headers exceed its bound, undici closes the connection, but still parses everything it has
 * read and creates an error with a stack for each header. 64 KiB of small headers blocked the event
 * loop for a quarter of a second. So each read returns at most this many lines.
 */
const LINES_AT_ONCE_MAX = 256;
const SHORT_BYTES = 1024;
const LINE_FEED = 10;

/** The index after the lines that are returned at once, or the chunk's length. */
function endOfLines(chunk: Buffer): number {
  let end = 0;
  for (let line = 0; line < LINES_AT_ONCE_MAX; line++) {
    const at = chunk.indexOf(LINE_FEED, end);
    if (at === -1) return chunk.length;
    end = at + 1;
  }
  return end;
}

/**
 * Limits each `read()` to a bounded number of lines, and returns nothing once the connection is
 * closed.
 */
function readFewLines(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    if (socket.destroyed) return null;
    const chunk: Buffer | null = read(size);
    if (chunk === null || chunk.length <= SHORT_BYTES) return chunk;
    const end = endOfLines(chunk);
    if (end < chunk.length) socket.unshift(chunk.subarray(end));
    return chunk.subarray(0, end);
  };
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/**
 * The `connect` function for a pool or an agent; takes the same options. With a tunnel it connects
 * through that.
 */
export function upstreamConnector(
  options: buildConnector.BuildOptions,
  tunnel: Tunnel | null = null,
): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    const done: buildConnector.Callback = (...result) => {
      if (result[0] === null) readFewLines(result[1]);
      callback(...result);
    };
    if (tunnel === null) return connect(target, done);
    const { hostname, protocol, port } = target;
    tunnel(hostname, Number(port) || (defaultPorts[protocol] ?? 443)).then(
      (socket) => {
        if (protocol === "https:") connect({ ...target, httpSocket: socket }, done);
        else done(null, socket);
      },
      (error: Error) => done(error, null),
    );
  };
}
