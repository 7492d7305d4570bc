/**
 * Reads the rest of refused bodies and discards it: in turn, and for a small part of the time, so
 * that it delays no other request.
 */
import type { IncomingMessage } from "node:http";

/**
 * Fast enough to drain a connection of 1 Gbit/s; between two turns its bytes wait in the kernel.
 */
const TURN_EVERY_MS = 20;
const TURN_MS = 2;
export const READ_AT_ONCE_MAX = 2;

const reading = new Set<IncomingMessage>();
/** The requests that wait for their turn, the next one first. */
const waiting = new Set<IncomingMessage>();
let turns: NodeJS.Timeout | undefined;

// Pauses the socket too: a request that its reader does not read does not count as full, so Node
// would read on.
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
