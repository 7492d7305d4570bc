/** Reads what refused bodies still send and throws it away: in turn, and for a small part of the time, so that it holds nobody up. */
import type { IncomingMessage } from "node:http";

/** A connection of 1 Gbit/s is emptied: between two turns its bytes wait in the system. */
const TURN_EVERY_MS = 20;
const TURN_MS = 2;
export const READ_AT_ONCE_MAX = 2;

/** Whose turn it is. */
const reading = new Set<IncomingMessage>();
/** The next first. */
const waiting = new Set<IncomingMessage>();
let turns: NodeJS.Timeout | undefined;

// A connection is told too: a request whose parts are kept from its reader is not full, and would be read on.
function hold(request: IncomingMessage): void {
  request.pause();
  request.socket.pause();
}

function endTurn(): void {
  for (const request of reading) {
    hold(request);
    waiting.add(request);
  }
  reading.clear();
}

function beginTurn(): void {
  endTurn();
  for (const request of waiting) {
    if (reading.size >= READ_AT_ONCE_MAX) break;
    waiting.delete(request);
    reading.add(request);
    request.socket.resume();
    request.resume();
  }
  setTimeout(endTurn, TURN_MS);
}

/** Reads at each of the request's turns, until `stopDropping`. */
export function dropBody(request: IncomingMessage): void {
  hold(request);
  waiting.add(request);
  if (turns !== undefined) return;
  turns = setInterval(beginTurn, TURN_EVERY_MS);
  beginTurn();
}

export function stopDropping(request: IncomingMessage): void {
  reading.delete(request);
  waiting.delete(request);
  if (reading.size + waiting.size > 0) return;
  clearInterval(turns);
  turns = undefined;
}
