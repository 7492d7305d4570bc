/**
 * The ledger's interface: what the rest of the product may ask of it, and what it answers. All
 * amounts are micropoints.
 */
import type pg from "pg";
import type {
  CreditKind,
  Dialect,
  Family,
  HoldOutcome,
  LossCause,
  RequestSource,
} from "../../contract/states";
import type { Transaction } from "../../db/client";
import type { Micropoints } from "../../money/points";
import type { KeyLimit } from "./key-limits";
import type { RemainingLimits } from "./remaining-limits";

export interface HoldRequest {
  /** A UUID made by the caller. A hold that is sent again with the same id is the same hold. */
  readonly operationId: string;
  readonly accountId: string;
  /** Null for a request of a signed-in page, which has no API key. */
  readonly apiKeyId: string | null;
  readonly source: RequestSource;
  readonly requestId: string;
  readonly family: Family;
  /** Absent or null for a request in its family's own form. */
  readonly dialect?: Dialect | null;
  /** Catalogue identifier. */
  readonly model: string;
  /** The version of the model that the operation begins under; absent or null for none. */
  readonly modelVersionId?: string | null;
  readonly priceVersionId: string;
  readonly multiplierPpm: number;
  /** The expected cost of the request; shown as "quoted". */
  readonly quoteAmount: Micropoints;
  /** The amount to hold: an upper bound of the cost. */
  readonly holdAmount: Micropoints;
  /**
   * The smallest acceptable hold when the account has less than `holdAmount`. Equal to `holdAmount`
   * when the hold must not be cut.
   */
  readonly holdAmountMin: Micropoints;
  /** SHA-256 of the request body. */
  readonly requestSha256: Uint8Array;
  /** Seconds after which the sweep may end the operation, by the database clock. */
  readonly deadlineSeconds: number;
  /** Names with their values; absent or null for none. */
  readonly tags?: Readonly<Record<string, string>> | null;
}

export type HoldResult =
  /** `amount` lies between `holdAmountMin` and `holdAmount`. The output cap is computed from it. */
  | {
      readonly result: "held";
      readonly amount: Micropoints;
      /** What is left of the key's limits; absent for a key that has none besides its budget. */
      readonly rooms?: readonly RemainingLimits[];
    }
  | { readonly result: "insufficient"; readonly available: Micropoints; readonly held: Micropoints }
  | {
      readonly result: "key_budget_exhausted";
      readonly remaining: Micropoints;
      /** Of a budget that renews: `day`, `week` or `month`, and when. Null for the lifetime one. */
      readonly renewal: { readonly period: string; readonly at: Date } | null;
    }
  | {
      readonly result: "member_budget_exhausted";
      readonly remaining: Micropoints;
      readonly renewal: { readonly period: string; readonly at: Date };
    }
  | {
      readonly result: "tag_budget_exhausted";
      readonly tag: { readonly name: string; readonly value: string };
      readonly remaining: Micropoints;
      readonly renewal: { readonly period: string; readonly at: Date };
    }
  | { readonly result: "key_running"; readonly max: number }
  | { readonly result: "key_tokens"; readonly max: number; readonly renewsAt: Date }
  | { readonly result: "account_suspended" };

interface UsageFacts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What is charged, by unit, and what its rates were selected by; stored with the report. */
  readonly quantities?: object;
  /** The usage object as the upstream reported it. */
  readonly reported: unknown;
}

/** How a request went, stored with its settlement or release. */
export interface Outcome {
  readonly channelId: string | null;
  /** The upstream's id of the answer, cut to 128 characters. */
  readonly upstreamRef: string | null;
  readonly isStream: boolean;
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  /** True when the client disconnected before the end. */
  readonly isAbandoned: boolean;
}

/** The outcome of an end that no request asked for. */
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
  /**
   * The price of the usage. What exceeds the hold is not charged, and is recorded as an operator
   * loss.
   */
  readonly amount: Micropoints;
  readonly usage: UsageFacts;
  /** Why the answer was cut short although its usage is charged. */
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
  /** Set when the upstream may bill us for work that the account does not pay for. */
  readonly loss: Loss | null;
  readonly outcome: Outcome;
}

/** `already`: the operation had ended before, with this outcome. Nothing changed. */
export type EndResult = {
  readonly result: "done" | "already" | "spooled";
  readonly outcome: HoldOutcome;
  readonly amount: Micropoints;
};

export interface CreditRequest {
  readonly accountId: string;
  /** `clawback` and `adjust_down` take points away. */
  readonly kind: CreditKind;
  /** Business event id: one kind and ref is credited once. */
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

export type CreditResult =
  | CreditEntry
  | { readonly result: "insufficient"; readonly available: Micropoints };

export interface RefundRequest {
  readonly operationId: string;
  /** Business event id: one ref refunds once. */
  readonly ref: string;
  /** Null refunds everything that is left of the charge. */
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
  /** The charge has less left than was asked; `left` can still be refunded. */
  | { readonly result: "exceeds"; readonly left: Micropoints };

export interface Balance {
  readonly available: Micropoints;
  readonly held: Micropoints;
}

/**
 * Writes in the verb's transaction, after the verb and with its result, so that both are committed
 * or neither. Called again when the verb is sent again, even if that changed nothing. Not called
 * when the verb refused.
 */
export type BeforeCommit<Done> = (transaction: pg.ClientBase, done: Done) => Promise<void>;

/** What an operator can do about operations that dead processes left open. */
export interface LedgerRecovery {
  /**
   * Ends every open operation of dead processes that can be ended, and returns how many. Servers do
   * this by themselves every few seconds.
   */
  sweep(): Promise<number>;
  /**
   * Gives up a dead node whose spool will not come back, and releases what it held. Returns the
   * number of holds. Audited. Throws `not_found`.
   */
  releaseNode(nodeId: string, actor: string, beforeCommit?: BeforeCommit<number>): Promise<number>;
  /**
   * The name of the folder whose spool this process replays, and the files there that an operator
   * should look at.
   */
  spoolState(): {
    readonly store: string;
    readonly aside: readonly {
      readonly name: string;
      readonly why: "unknown" | "damaged";
      readonly bytes: number;
      readonly at: Date;
    }[];
  };
}

export interface Ledger {
  /** Holds points. Rejects with `database_unavailable` or `service_busy` when nothing was held. */
  openHold(request: HoldRequest): Promise<HoldResult>;
  /**
   * Charges. Resolves only when the charge is durable: committed, or fsynced in the spool. Never
   * refuses.
   */
  settle(request: SettleRequest): Promise<EndResult>;
  /** Releases the hold; as durable as `settle`. */
  release(request: ReleaseRequest): Promise<EndResult>;
  /** Credits or debits points, once per kind and ref. */
  credit(request: CreditRequest, beforeCommit?: BeforeCommit<CreditEntry>): Promise<CreditResult>;
  /**
   * Refunds a charge, in whole or in part, once per ref. The refunds of a charge never exceed it.
   * Rejects with `not_found` where nothing was charged.
   */
  refund(request: RefundRequest, beforeCommit?: BeforeCommit<RefundEntry>): Promise<RefundResult>;
  /** Creates the wallet of a new account. A second call changes nothing. */
  openWallet(accountId: string): Promise<void>;
  /**
   * Sets the lifetime budget of an API key, or removes it (null). Uses the given transaction, or
   * one of its own.
   */
  setKeyBudget(
    apiKeyId: string,
    accountId: string,
    budget: Micropoints | null,
    transaction?: Transaction,
  ): Promise<void>;
  /** Sets or lifts another limit of an API key, in the given transaction or one of its own. */
  setKeyLimit(
    apiKeyId: string,
    accountId: string,
    limit: KeyLimit,
    transaction?: Transaction,
  ): Promise<void>;
  balance(accountId: string): Promise<Balance>;
}
