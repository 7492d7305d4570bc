/** The facts that identify a request: two requests with equal facts are the same request. */
export interface RequestFacts {
  readonly accountId: string;
  readonly key: string;
  readonly endpoint: string;
  readonly sha256: Buffer;
  readonly isStream: boolean;
  /** A stream whose answer is stored: a page that was closed or loaded again reads it later. */
  readonly keepsStream: boolean;
  readonly requestId: string;
  /**
   * A hash of API key, endpoint and body, for an order without an Idempotency-Key; its `key` is one
   * we generated.
   */
  readonly fingerprint: Buffer | null;
}
