import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of one connection that may wait behind the one that is answered; whoever sends more loses the connection. */
export const PIPELINED_MAX = 100;

interface Line {
  /** The response of the last request that came. */
  last: ServerResponse;
  waiting: number;
}

/**
 * Serves the requests of one connection one after the other. Node hands over pipelined requests as soon as it has read
 * them, so that one connection could keep any number running.
 */
export function serveInTurn(serve: Listener): Listener {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { last: response, waiting: 0 });
      serve(request, response);
      return;
    }
    const before = line.last;
    line.last = response;
    if (before.writableFinished || before.destroyed) {
      serve(request, response);
      return;
    }
    if (++line.waiting > PIPELINED_MAX) {
      socket.destroy();
      return;
    }
    socket.pause();
    before.once("close", () => {
      if (--line.waiting === 0) socket.resume();
      // In a turn of its own: answers that are ready at once would otherwise keep every other connection waiting.
      setImmediate(() => {
        if (!socket.destroyed) serve(request, response);
      });
    });
  };
}
