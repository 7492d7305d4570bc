/** What a request's API key says about who pays and what is allowed; kept in memory, dropped when its rows change. */
export interface KeyIdentity {
  /** What limits are counted by; a key's id unless `isPlayground`. */
  readonly apiKeyId: string;
  /** The request comes from a signed-in page, without a key. */
  readonly isPlayground?: true;
  readonly accountId: string;
  readonly requestsPerMinute: number;
  /** Catalogue identifiers; empty: all. */
  readonly models: readonly string[];
  /** Parts per million; of the model where one is set, else the account's. */
  multiplierPpm(model: string): number;
}

/** Where a request comes from; read only where a key is not in memory. */
export interface KeySource {
  readonly address?: string;
}

export interface KeyRing {
  /**
   * The identity behind an `Authorization` header. Throws `missing_api_key`, `invalid_api_key`, `api_key_expired`,
   * `api_key_revoked`, `api_key_paused`, `account_suspended`, or `database_unavailable`. In memory: answers without a query, and without
   * a promise when the key is known. Look-ups are shared out fairly between the addresses that need them.
   */
  identify(authorization: string | undefined, source?: KeySource): KeyIdentity | Promise<KeyIdentity>;
}

/** As the ledger names who pays, by which key, and from where. */
export function spenderOf({ accountId, apiKeyId, isPlayground }: KeyIdentity) {
  return isPlayground ? ({ accountId, apiKeyId: null, source: "playground" } as const) : ({ accountId, apiKeyId, source: "api" } as const);
}
