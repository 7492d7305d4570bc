import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Counts } from "@/lib/limits/counts";

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * How many requests of one connection may wait behind the running one. One more closes the
 * connection.
 */
export const PIPELINED_MAX = 64;
/**
 * The same for all connections of one network address. Client libraries and proxies do not
 * pipeline; an office behind one address must fit.
 */
const PIPELINED_PER_ADDRESS_MAX = 128;

/** Tells Node's parser that an upgrade follows, after which it reads no further. */
const READ_NO_FURTHER = 2;

interface ConnectionState {
  /** The response to the newest request. */
  last: ServerResponse;
  waiting: number;
  /** True once the connection's end is being watched. */
  isWatched: boolean;
  isOver: boolean;
}

/** Node's parser of a connection; not part of its documented interface. */
interface Parsed {
  readonly parser?: { onIncoming?: (request: IncomingMessage) => number } | null;
}

/**
 * Closes a connection at once. Its read buffer may hold thousands of small requests: the parser
 * would emit each, and Node would abort each with an error of its own, all in one turn of the event
 * loop.
 */
function endConnection(socket: Socket & Parsed): void {
  const { parser } = socket;
  if (parser) parser.onIncoming = () => READ_NO_FURTHER;
  socket.destroy();
}

/**
 * Serves the requests of one connection one after the other. Node emits pipelined requests as soon
 * as it has read them, so one connection could otherwise keep any number running.
 */
export function serveInTurn(serve: Listener): Listener {
  const lines = new WeakMap<Socket, ConnectionState>();
  const waitingOf = new Counts();
  // A response that was never started does not emit the closing of its connection.
  const watch = (line: ConnectionState, socket: Socket, address: string) => {
    line.isWatched = true;
    socket.once("close", () => {
      line.isOver = true;
      waitingOf.change(address, -line.waiting);
    });
  };
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { last: response, waiting: 0, isWatched: false, isOver: false });
      serve(request, response);
      return;
    }
    const before = line.last;
    line.last = response;
    if (before.writableFinished || before.destroyed) {
      serve(request, response);
      return;
    }
    const address = socket.remoteAddress ?? "";
    if (line.waiting >= PIPELINED_MAX || waitingOf.of(address) >= PIPELINED_PER_ADDRESS_MAX) {
      endConnection(socket);
      return;
    }
    if (!line.isWatched) watch(line, socket, address);
    line.waiting++;
    waitingOf.change(address, 1);
    socket.pause();
    before.once("close", () => {
      if (line.isOver) return;
      waitingOf.change(address, -1);
      if (--line.waiting === 0) socket.resume();
      // In a turn of its own: answers that are ready at once would otherwise block all other
      // connections.
      setImmediate(() => {
        if (!socket.destroyed) serve(request, response);
      });
    });
  };
}
