export interface Timings {
  /** How long a hold waits for a connection before it is refused. */
  readonly holdPatienceMs: number;
  /** How long a hold waits for an answer before it is refused. */
  readonly holdPatienceInFlightMs: number;
  /** How long an end waits for the database before it is spooled. */
  readonly endPatienceMs: number;
  /** How long a batch waits for an answer before its connection counts as lost. */
  readonly batchPatienceMs: number;
}

export const defaultTimings: Timings = {
  holdPatienceMs: 800,
  holdPatienceInFlightMs: 5000,
  endPatienceMs: 10_000,
  batchPatienceMs: 6000,
};
