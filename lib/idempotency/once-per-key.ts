/**
 * A change by API that is sent again with its Idempotency-Key. It takes effect once; its answer is
 * stored for the retries, sealed under the text of the key that asked, which we do not store: an
 * answer may contain a secret that is shown once.
 */
import { keyTextOf } from "../accounts/key-authenticator";
import { markingEffect } from "../accounts/once-effect";
import type { EndpointRow } from "../contract/endpoint";
import { derivedKey, joined, parted, seal, unseal } from "../crypto/seal";
import { RelayError } from "../failures/relay-error";
import type { Outgoing } from "../http/exchange";
import type { CallOf, UseCase } from "../http/serve";

const otherKey = () =>
  new RelayError("idempotency_key_reused", {
    message: "This Idempotency-Key was already used with another key.",
  });

/** The text of an answer; only files are anything else, and no change answers with one. */
function textOf({ body }: Outgoing): string {
  if (typeof body === "string") return body;
  throw new Error("the answer to a change is not a text");
}

/** Runs a change by `run`, which runs a request with a key once. */
export async function oncePerKey<Row extends EndpointRow>(
  run: (work: UseCase<Row>) => Promise<Outgoing>,
  key: string,
  { row, incoming, principal }: CallOf<Row>,
  work: UseCase<Row>,
): Promise<Outgoing> {
  const { accountId } = principal;
  const sealKey = derivedKey(keyTextOf(incoming.header("authorization")), "an answer given once");
  const boundTo = `${accountId} ${key}`;
  const outgoing = await run(async (own) => {
    const operationId = own.idempotency?.operationId;
    if (operationId === undefined) throw new Error("a request with a key runs without one");
    const effect = { accountId, key, operationId };
    const answer = await markingEffect(effect, async () => work(own));
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
