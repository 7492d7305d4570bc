import { type FailureCode, failures } from "./failure-table";
import type { Fault } from "./value-faults";

export interface FailureDetail {
  /** For the API client: what was sent, what is allowed, what to do. */
  message?: string | undefined;
  /** The path of the field to blame, such as `messages[0].role`. */
  param?: string | null;
  /** Extra public members of the error body, such as `available_points`. */
  fields?: Readonly<Record<string, unknown>>;
  /** For signed-in pages only, which say it in their reader's language. */
  fault?: Fault | undefined;
  /** Whole seconds for `Retry-After`, instead of the table's. */
  retryAfterSeconds?: number;
  /** Extra response headers, such as `Allow`. */
  headers?: Readonly<Record<string, string>>;
  /** For our own logs only, never part of an answer. */
  internal?: string;
  cause?: unknown;
}

const brand = Symbol.for("relay.error");

/** The only error class whose content may reach a client. */
export class RelayError extends Error {
  readonly [brand] = true;
  readonly code: FailureCode;
  readonly param: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly fault: Fault | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly internal: string | undefined;

  constructor(code: FailureCode, detail: FailureDetail = {}) {
    super(
      detail.message ?? failures[code].message,
      detail.cause === undefined ? undefined : { cause: detail.cause },
    );
    this.name = "RelayError";
    this.code = code;
    this.param = detail.param ?? null;
    this.fields = detail.fields ?? {};
    this.fault = detail.fault;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.headers = detail.headers ?? {};
    this.internal = detail.internal;
  }
}

/** `invalid_value`, with the field to blame and what is wrong with it. */
export const invalidValue = (param: string | null, message: string) =>
  new RelayError("invalid_value", { param, message });

/** The same error in other words. */
export function reworded(
  error: RelayError,
  words: { readonly message: string; readonly param: string | null },
): RelayError {
  const { code, fields, fault, headers, retryAfterSeconds, internal } = error;
  return new RelayError(code, {
    ...words,
    fields,
    fault,
    headers,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(internal !== undefined && { internal }),
    cause: error,
  });
}

/**
 * Recognizes our errors across separately bundled copies of this module, where `instanceof` fails.
 */
export function isRelayError(error: unknown): error is RelayError {
  return typeof error === "object" && error !== null && brand in error && error[brand] === true;
}

/** The `code` that Node, drivers and our own errors carry; undefined for an error without one. */
export const errorCode = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
