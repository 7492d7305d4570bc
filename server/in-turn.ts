import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Counts } from "@/lib/limits/counts";

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of one connection that may wait behind the one that is answered; whoever sends more loses the connection. */
export const PIPELINED_MAX = 64;
/** Of all connections of one network address. No client library and no proxy pipelines; an office behind one address must fit. */
export const PIPELINED_PER_ADDRESS_MAX = 128;

/** To Node's parser: an upgrade, behind which it reads no further. */
const READ_NO_FURTHER = 2;

interface Line {
  /** The response of the last request that came. */
  last: ServerResponse;
  waiting: number;
  /** The connection's end will be noted; it was. */
  isWatched: boolean;
  isOver: boolean;
}

/** What Node keeps of a connection's parser; not part of its documented interface. */
interface Parsed {
  readonly parser?: { onIncoming?: (request: IncomingMessage) => number } | null;
}

/**
 * Ends a connection at once. What was read of it may hold thousands of small requests more: the parser would hand over each,
 * and Node would abort each with an error of its own, all in one turn of the loop.
 */
function endConnection(socket: Socket): void {
  const { parser } = socket as Parsed;
  if (parser) parser.onIncoming = () => READ_NO_FURTHER;
  socket.destroy();
}

/**
 * Serves the requests of one connection one after the other. Node hands over pipelined requests as soon as it has read
 * them, so that one connection could keep any number running.
 */
export function serveInTurn(serve: Listener): Listener {
  const lines = new WeakMap<Socket, Line>();
  const waitingOf = new Counts();
  // Responses that were never begun do not say that their connection closed.
  const watch = (line: Line, socket: Socket, address: string) => {
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
      // In a turn of its own: answers that are ready at once would otherwise keep every other connection waiting.
      setImmediate(() => {
        if (!socket.destroyed) serve(request, response);
      });
    });
  };
}
