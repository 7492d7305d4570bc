/** Who asks, as a value: what a use case may know of its caller, however the caller was found out. */
interface AnyPrincipal {
  /** Who pays. */
  readonly accountId: string;
  /** What its rate and its running requests are counted by. */
  readonly rateSubject: string;
  readonly requestsPerMinute: number;
  /** Catalogue identifiers; empty: all. */
  readonly models: readonly string[];
  /** Parts per million; of the model where one is set, else the account's. */
  multiplierPpm(model: string): number;
}

/** A request with an API key; kept in memory, dropped when its rows change. */
export interface ApiKeyPrincipal extends AnyPrincipal {
  readonly kind: "apiKey";
  readonly apiKeyId: string;
}

/** A request of a signed-in page, which has no API key. */
export interface SessionPrincipal extends AnyPrincipal {
  readonly kind: "session";
  readonly apiKeyId: null;
}

export type Principal = ApiKeyPrincipal | SessionPrincipal;

/** The account of a session that was checked. Only the playground's lane makes one; nothing a client sends becomes one. */
export interface SignedIn {
  readonly accountId: string;
}

/** As the ledger names who pays, by which key, and from where. */
export function spenderOf({ kind, accountId, apiKeyId }: Principal) {
  return { accountId, apiKeyId, source: kind === "session" ? "playground" : "api" } as const;
}
