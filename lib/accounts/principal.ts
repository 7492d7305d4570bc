import type { ManagementScope, OperatorScope } from "../contract/states";
import { RelayError } from "../failures/relay-error";

/**
 * A principal: who makes a request, whichever way that was established. This is all that a use case
 * knows of its caller.
 */
interface AnyPrincipal {
  /** The account that is charged. */
  readonly accountId: string;
  /** The subject by which the rate limit and the running requests are counted. */
  readonly rateSubject: string;
  readonly requestsPerMinute: number;
  /** Catalogue identifiers of the allowed models; empty for all. */
  readonly models: readonly string[];
  /** Parts per million, by the terms of the account. */
  multiplierPpm(model: string): number;
  /** Whether the account keeps what its requests ask and are answered. */
  readonly keepsContent?: boolean;
  /** Whether the account may see a model of the catalogue; one that it may not see is unknown to it. */
  sees(model: string): boolean;
}

/** The principal of a request with an API key. It is cached, and dropped when its rows change. */
export interface ApiKeyPrincipal extends AnyPrincipal {
  readonly kind: "apiKey";
  readonly apiKeyId: string;
}

/** The principal of a request from a signed-in page, which has no API key. */
export interface SessionPrincipal extends AnyPrincipal {
  readonly kind: "session";
  readonly apiKeyId: null;
  readonly userId: string;
  /** Notes that the user ordered this, before its hold. */
  noteOrder(operationId: string): Promise<void>;
  /** Takes the note away: nothing was held. */
  forgetOrder(operationId: string): Promise<void>;
}

/** The principal of a request with a management key, which manages an account and never generates. */
export interface ManagementKeyPrincipal extends AnyPrincipal {
  readonly kind: "managementKey";
  readonly apiKeyId: null;
  readonly managementKeyId: string;
  readonly scopes: readonly ManagementScope[];
}

/**
 * The principal of a request with an operator key. Its account is that of the operator who made it,
 * and is never charged.
 */
export interface OperatorKeyPrincipal extends AnyPrincipal {
  readonly kind: "operatorKey";
  readonly apiKeyId: null;
  readonly operatorKeyId: string;
  /** The operator who made it. */
  readonly email: string;
  readonly scopes: readonly OperatorScope[];
}

/** Whom the `Authorization` header may name. */
export type KeyPrincipal = ApiKeyPrincipal | ManagementKeyPrincipal | OperatorKeyPrincipal;
export type Principal = KeyPrincipal | SessionPrincipal;

/**
 * The account of a verified session, and its user. Only the playground's lane creates one; nothing in a request
 * can.
 */
export interface SignedIn {
  readonly accountId: string;
  readonly userId: string;
}

/**
 * The account that pays, the key and the kind of principal, in the ledger's terms. Throws for the
 * other kinds of key, which no row that is sold admits.
 */
export function spenderOf({ kind, accountId, apiKeyId }: Principal) {
  if (kind === "managementKey" || kind === "operatorKey")
    throw new RelayError("key_kind_not_allowed");
  return { accountId, apiKeyId, source: kind === "session" ? "playground" : "api" } as const;
}
