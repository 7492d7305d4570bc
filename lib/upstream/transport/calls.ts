/** The running exchanges: checks their deadlines, and can end all of them. */
import type { Dispatcher } from "undici";
import { LinkedList } from "../../values/linked-list";
import { failureBeforeSending, failureOf } from "../failure";
import type { Exchange } from "./exchange";
import type { Place } from "./pools";

const CHECK_MS = 250;

/** Returns the `traceparent` of the current call. */
export type Traceparent = () => string | undefined;

interface OutgoingRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Names and values, alternating. */
  readonly headers: string[];
  readonly body: Dispatcher.DispatchOptions["body"];
}

export interface Calls {
  /** Called when an exchange that was sent from here has closed. */
  readonly onClosed: (exchange: Exchange) => void;
  /** Never throws: a request that cannot be sent fails its exchange. */
  send(place: Place, request: OutgoingRequest, exchange: Exchange): void;
  /** Ends every running call as failed. */
  abortAll(): void;
  /** Stops the deadline checks. */
  close(): void;
}

export function createCalls(): Calls {
  const running = new LinkedList<Exchange>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const exchange of running.list()) exchange.check(now);
  }, CHECK_MS);
  timer.unref();

  return {
    onClosed(exchange) {
      running.delete(exchange);
    },
    send({ pool, path }, { method, headers, body }, exchange) {
      running.add(exchange);
      try {
        pool.dispatch({ method, path, headers, body: body ?? null }, exchange);
      } catch (error) {
        running.delete(exchange);
        exchange.fail(failureBeforeSending(error));
      }
    },
    abortAll() {
      const failure = failureOf("upstream_failed", "stopped by us", { mayHaveCost: true });
      for (const exchange of running.list()) exchange.stop(failure);
    },
    close() {
      clearInterval(timer);
    },
  };
}
