/** The signals that stop the product. */

/**
 * How long requests in flight may take to end after the first signal. A second signal ends the
 * wait.
 */
const DRAIN_SECONDS_MAX = 30;
/**
 * npm forwards a signal that the terminal has sent to us already: one that comes this soon is the
 * same signal.
 */
const SAME_SIGNAL_MILLISECONDS = 1000;

export interface StopRequest {
  readonly requested: Promise<void>;
  /** Resolves at a second signal, or when the wait has taken too long. */
  readonly forced: Promise<void>;
  /** A stop for another reason than a signal. */
  request(): void;
}

export interface Signals extends StopRequest {
  /** Replaces the stop by SIGHUP, unless a terminal sends it, which is being closed then. */
  onHangUp(listener: () => void): void;
}

type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";
export const stopSignals: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A stop that is requested once, and forced by a second request or after a while. */
export function createStopRequest(): StopRequest {
  let first = 0;
  let requestStop = () => {};
  let forceStop = () => {};
  const requested = new Promise<void>((resolve) => {
    requestStop = resolve;
  });
  const forced = new Promise<void>((resolve) => {
    forceStop = resolve;
  });
  return {
    requested,
    forced,
    request() {
      if (first === 0) {
        first = Date.now();
        setTimeout(forceStop, DRAIN_SECONDS_MAX * 1000).unref();
        requestStop();
      } else if (Date.now() - first > SAME_SIGNAL_MILLISECONDS) forceStop();
    },
  };
}

const hasTerminal = () => [process.stdin, process.stdout].some(({ isTTY }) => isTTY);

export function watchSignals(): Signals {
  const stop = createStopRequest();
  let hangUp = stop.request;
  for (const signal of stopSignals)
    process.on(signal, () => (signal === "SIGHUP" ? hangUp : stop.request)());
  return {
    ...stop,
    onHangUp: (listener) => {
      if (!hasTerminal()) hangUp = listener;
    },
  };
}
