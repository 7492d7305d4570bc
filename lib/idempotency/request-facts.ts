/** What identifies a request: two with the same facts are the same request. */
export interface RequestFacts {
  readonly accountId: string;
  readonly key: string;
  readonly endpoint: string;
  readonly sha256: Buffer;
  readonly isStream: boolean;
  readonly requestId: string;
  /**
   * A hash of API key, endpoint and body, for an order without an Idempotency-Key; its `key` is one
   * we made.
   */
  readonly fingerprint: Buffer | null;
}
