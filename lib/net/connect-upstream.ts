/** Connections for undici on which a flood of headers costs little. */
import type { Socket } from "node:net";
import { buildConnector } from "undici";

/**
 * Past its bound for headers undici ends the connection, but parses what it has read to the end and makes an error, with its
 * stack, of each header in it: 64 KiB of small headers held up the loop for a quarter of a second.
 */
const LINES_AT_ONCE_MAX = 256;
const SHORT_BYTES = 1024;
const LINE_FEED = 10;

/** Index after so many lines that the rest can wait, or the chunk's length. */
function endOfLines(chunk: Buffer): number {
  let end = 0;
  for (let line = 0; line < LINES_AT_ONCE_MAX; line++) {
    const at = chunk.indexOf(LINE_FEED, end);
    if (at === -1) return chunk.length;
    end = at + 1;
  }
  return end;
}

/** Has each `read()` give a bounded number of lines, and nothing once the connection is ended. */
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

/** For `connect` of a pool or an agent; takes the options that they would take there. */
export function upstreamConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      if (result[0] === null) readFewLines(result[1]);
      callback(...result);
    });
}
