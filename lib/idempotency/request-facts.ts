import { createHash } from "node:crypto";
import { orderReaderOf } from "../accounts/order-reader";
import type { Principal } from "../accounts/principal";
import type { OrderReader } from "../db/order-readers";
import type { Call } from "../http/serve";

/** The facts that identify a request: two requests with equal facts are the same request. */
export interface RequestFacts {
  readonly accountId: string;
  /** Who sends it: its answer is given to nobody who may not read it. */
  readonly reader: OrderReader;
  /** The id of the key, of any kind, or of the person in a session: `key` is this one's own value. */
  readonly askedBy: string;
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

/** Who asks, in the terms of `RequestFacts`. A key that manages reads its own requests only. */
export function askerOf(
  principal: Principal,
): Pick<RequestFacts, "accountId" | "reader" | "askedBy"> {
  const { accountId, kind } = principal;
  const reader = orderReaderOf(principal);
  if (kind === "session") return { accountId, reader, askedBy: principal.userId };
  const askedBy =
    kind === "apiKey"
      ? principal.apiKeyId
      : kind === "managementKey"
        ? principal.managementKeyId
        : principal.operatorKeyId;
  return { accountId, reader: { ...reader, apiKeyId: askedBy }, askedBy };
}

/** The path of a free row may have an id, which is then a part of what is asked for. */
export function sha256Of({ row, parameter, rawBody }: Call): Buffer {
  if (row.billing === "generation") return rawBody.sha256();
  return createHash("sha256").update(`${parameter}\n`).update(rawBody.sha256()).digest();
}
