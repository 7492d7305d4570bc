/** What makes two requests the same one. */
export interface RequestFacts {
  readonly accountId: string;
  readonly key: string;
  readonly endpoint: string;
  readonly sha256: Buffer;
  readonly isStream: boolean;
  readonly requestId: string;
  /** Of API key, endpoint and body, where the order has no Idempotency-Key and `key` is one of ours. */
  readonly fingerprint: Buffer | null;
}
