/**
 * A change by API that is sent again with its Idempotency-Key. It takes effect once; its answer is
 * stored for the retries, sealed under the text of the key that asked, which we do not store: an
 * answer may contain a secret that is shown once.
 */
import { keyTextOf } from "../accounts/key-authenticator";
import { markingEffect } from "../accounts/once-effect";
import type { EndpointRow } from "../contract/endpoint";
import { RelayError } from "../errors";
import type { Outgoing } from "../http/exchange";
import type { CallOf, IdempotencyRunner } from "../http/serve";
import { derivedKey, joined, parted, seal, unseal } from "../seal";

type KeyRow = EndpointRow & { readonly status?: 201 };

const otherKey = () =>
  new RelayError("idempotency_key_reused", {
    message: "This Idempotency-Key was already used with another key.",
  });

/** The text of an answer; only files are anything else, and no change answers with one. */
function textOf({ body }: Outgoing): string {
  if (typeof body === "string") return body;
  throw new Error("the answer to a change is not a text");
}

export async function onceByKey<Row extends KeyRow>(
  runner: IdempotencyRunner,
  call: CallOf<Row>,
  work: (call: CallOf<Row>) => Promise<Outgoing>,
): Promise<Outgoing> {
  const { row, incoming, principal } = call;
  const key = incoming.header("idempotency-key");
  if (key === undefined || row.isOncePerKey !== true) return work(call);
  const { accountId } = principal;
  const sealKey = derivedKey(keyTextOf(incoming.header("authorization")), "an answer given once");
  const boundTo = `${accountId} ${key}`;
  const outgoing = await runner.run(key, call, async (own) => {
    const operationId = own.idempotency?.operationId;
    if (operationId === undefined) throw new Error("a request with a key runs without one");
    const answer = await markingEffect({ accountId, key, operationId }, () => work(own));
    return { ...answer, body: joined(seal(sealKey, boundTo, textOf(answer))) };
  });
  if (!(outgoing.body instanceof Uint8Array)) throw otherKey();
  try {
    const body = unseal(sealKey, boundTo, parted(outgoing.body));
    return { ...outgoing, status: row.status ?? 200, body };
  } catch {
    throw otherKey();
  }
}
