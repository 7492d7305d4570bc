/** What the rest of the product may ask of the ledger, and what it answers. All amounts are micropoints. */
import type pg from "pg";
import type { CreditKind, Family, HoldOutcome, LossCause, RequestSource } from "../contract/states";
import type { Transaction } from "../db/client";
import type { Micropoints } from "../points";

export interface HoldRequest {
  /** UUID made by the caller; the same id is the same hold, however often it is sent. */
  readonly operationId: string;
  readonly accountId: string;
  /** Null when a signed-in page, not an API key, asked. */
  readonly apiKeyId: string | null;
  readonly source: RequestSource;
  readonly requestId: string;
  readonly family: Family;
  /** Catalogue identifier. */
  readonly model: string;
  readonly priceVersionId: string;
  readonly multiplierPpm: number;
  /** What the request will cost as far as can be told; shown as "quoted". */
  readonly quoteAmount: Micropoints;
  /** The amount to set aside: a true upper bound of the cost. */
  readonly holdAmount: Micropoints;
  /** The smallest amount worth holding when less than `holdAmount` is there; equal to it when nothing may be cut. */
  readonly holdAmountMin: Micropoints;
  /** SHA-256 of the request body. */
  readonly requestSha256: Uint8Array;
  /** Seconds after which the sweeper may end the operation, by the database clock. */
  readonly deadlineSeconds: number;
}

export type HoldResult =
  /** `amount` lies between the two amounts asked for; an output cap is computed from it. */
  | { readonly result: "held"; readonly amount: Micropoints }
  | { readonly result: "insufficient"; readonly available: Micropoints; readonly held: Micropoints }
  | { readonly result: "key_budget_exhausted"; readonly remaining: Micropoints }
  | { readonly result: "account_suspended" };

export interface UsageFacts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The usage object as the upstream reported it. */
  readonly reported: unknown;
}

/** How a request went, kept beside its settlement or release. */
export interface Outcome {
  readonly channelId: string | null;
  /** The upstream's own id of the answer, cut to 128 characters. */
  readonly upstreamRef: string | null;
  readonly isStream: boolean;
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  /** True when the client had left before the end. */
  readonly isAbandoned: boolean;
}

/** For ends that no request brought about. */
export const noOutcome: Outcome = {
  channelId: null,
  upstreamRef: null,
  isStream: false,
  durationMs: 0,
  firstByteMs: null,
  isAbandoned: false,
};

export interface SettleRequest {
  readonly operationId: string;
  readonly accountId: string;
  /** The price of the usage; an amount above the hold is settled at the hold, the rest is an operator loss. */
  readonly amount: Micropoints;
  readonly usage: UsageFacts;
  /** Why the answer was ended before its end, though its usage is charged. */
  readonly reason?: string | null;
  /** Set when more was delivered than is charged. */
  readonly loss?: Loss | null;
  readonly outcome: Outcome;
}

export interface Loss {
  readonly cause: LossCause;
  readonly estimateAmount: Micropoints;
  readonly detail: unknown;
}

export interface ReleaseRequest {
  readonly operationId: string;
  readonly accountId: string;
  /** A failure code, such as `upstream_timeout`. */
  readonly reason: string;
  /** Set when the upstream may bill us for what the customer does not pay. */
  readonly loss: Loss | null;
  readonly outcome: Outcome;
}

/** `already`: it had been ended before, as told; nothing changed now. */
export type EndResult = {
  readonly result: "done" | "already" | "spooled";
  readonly outcome: HoldOutcome;
  readonly amount: Micropoints;
};

export interface CreditRequest {
  readonly accountId: string;
  /** `clawback` and `adjust_down` take points away. */
  readonly kind: CreditKind;
  /** Business event id; the same kind and ref are credited once. */
  readonly ref: string;
  /** Always positive. */
  readonly amount: Micropoints;
  readonly reason: string;
  /** A user id, `cli`, or `system`. */
  readonly actor: string;
}

export interface CreditEntry {
  readonly result: "done" | "already";
  readonly entryId: string;
  readonly amount: Micropoints;
}

export type CreditResult = CreditEntry | { readonly result: "insufficient"; readonly available: Micropoints };

export interface RefundRequest {
  readonly operationId: string;
  /** Business event id; the same ref refunds once. */
  readonly ref: string;
  /** Null: all that is left of the charge. */
  readonly amount: Micropoints | null;
  readonly reason: string;
  /** A user id, `cli`, or `system`. */
  readonly actor: string;
}

export interface RefundEntry extends CreditEntry {
  readonly accountId: string;
}

export type RefundResult =
  | RefundEntry
  /** More than the charge has left; `left` is what may be refunded still. */
  | { readonly result: "exceeds"; readonly left: Micropoints };

export interface Balance {
  readonly available: Micropoints;
  readonly held: Micropoints;
}

/**
 * Writes in the transaction of a verb, after it and told what it did: both are there afterwards, or neither. Called again
 * when the verb is sent again, also where that changed nothing. Not called where the verb refused.
 */
export type Alongside<Done> = (transaction: pg.ClientBase, done: Done) => Promise<void>;

/** What an operator may do about work that dead processes left behind. */
export interface Rescue {
  /** Ends every open operation of dead processes that can be ended; answers how many. A server does so by itself every few seconds. */
  sweep(): Promise<number>;
  /** Gives up a dead node whose spool will not come back, and what it held; answers how many holds. Audited. Throws `not_found`. */
  releaseNode(nodeId: string, actor: string, alongside?: Alongside<number>): Promise<number>;
  /** The name of the folder whose spool this process empties, and the files there that need a look. */
  spoolState(): {
    readonly store: string;
    readonly aside: readonly { readonly name: string; readonly why: "unknown" | "damaged"; readonly bytes: number; readonly at: Date }[];
  };
}

export interface Ledger {
  /** Sets points aside. Rejects with `database_unavailable` or `service_busy` when nothing was held. */
  openHold(request: HoldRequest): Promise<HoldResult>;
  /** Charges, and answers only when the charge is durable: committed, or fsynced in the spool. Never refuses. */
  settle(request: SettleRequest): Promise<EndResult>;
  /** Gives the held points back; as durable as `settle`. */
  release(request: ReleaseRequest): Promise<EndResult>;
  /** Adds or takes away points once per kind and ref. */
  credit(request: CreditRequest, alongside?: Alongside<CreditEntry>): Promise<CreditResult>;
  /** Gives a charge back, whole or in part, once per ref; all refunds of a charge never exceed it. Rejects with `not_found` where nothing was charged. */
  refund(request: RefundRequest, alongside?: Alongside<RefundEntry>): Promise<RefundResult>;
  /** Creates the wallet of a new account; a second call changes nothing. */
  openWallet(accountId: string): Promise<void>;
  /** Sets or (null) lifts the points an API key may spend in its life; in the transaction that is given, else in one of its own. */
  setKeyBudget(apiKeyId: string, accountId: string, budget: Micropoints | null, transaction?: Transaction): Promise<void>;
  balance(accountId: string): Promise<Balance>;
}
