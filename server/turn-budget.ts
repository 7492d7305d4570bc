import type { IncomingMessage } from "node:http";
import { FairQueue } from "@/lib/limits/fair-queue";
import type { Listener } from "./in-turn";

/**
 * How long requests that arrive together may be started in one turn of the event loop. A request
 * of this API takes 1 or 2 ms of processor time, and a call that waits for its upstream needs
 * several turns: each of them would otherwise wait for all requests that arrived meanwhile.
 */
const START_MS_MAX = 5;
/** More are started at once: a queue must not hold more than the connections there can be. */
const WAITING_MAX = 4096;

/**
 * Starts the requests that arrive in one turn of the event loop for `START_MS_MAX`. The others
 * wait, one in each further turn, the addresses in turn.
 */
export function withinTurnBudget(
  serve: Listener,
  addressOf: (request: IncomingMessage) => string,
  now: () => number = () => performance.now(),
): Listener {
  const waiting = new FairQueue<() => void>(WAITING_MAX, WAITING_MAX);
  /** When the first request of this turn was started; null before. */
  let startedAt: number | null = null;
  const begin = () => {
    startedAt = now();
    setImmediate(endTurn);
  };
  const endTurn = () => {
    startedAt = null;
    const start = waiting.take();
    if (start === undefined) return;
    begin();
    start();
  };
  return (request, response) => {
    if (startedAt === null) begin();
    else if (now() - startedAt > START_MS_MAX) {
      const start = () => {
        if (!response.destroyed) serve(request, response);
      };
      if (waiting.push(addressOf(request), start)) return;
    }
    serve(request, response);
  };
}
