/**
 * A change by API that is sent again with its Idempotency-Key. It takes effect once; its answer is
 * stored for the retries, sealed under the text of the key that asked, which we do not store: an
 * answer may contain a secret that is shown once. A secret is stored so in the transaction that
 * makes it, until the answer is.
 */
import { keyTextOf } from "../accounts/key-authenticator";
import { markingEffect } from "../accounts/once-effect";
import type { EndpointRow } from "../contract/endpoint";
import { derivedKey, seal, unseal } from "../crypto/seal";
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

/** Seals for the holder of a key's text, and opens what that one sealed. */
function sealOf(keyText: string, boundTo: string) {
  const sealKey = derivedKey(keyText, "an answer given once");
  return {
    close: (text: string) => new Uint8Array(seal(sealKey, boundTo, text)),
    /** Throws `idempotency_key_reused` for what another one sealed. */
    open(bytes: Uint8Array): string {
      try {
        return unseal(sealKey, boundTo, bytes);
      } catch {
        throw otherKey();
      }
    },
  };
}

/** Runs a change by `run`, which runs a request with a key once. */
export async function oncePerKey<Row extends EndpointRow>(
  run: (work: UseCase<Row>) => Promise<Outgoing>,
  key: string,
  { row, incoming, principal }: CallOf<Row>,
  work: UseCase<Row>,
): Promise<Outgoing> {
  const { accountId } = principal;
  const keyText = keyTextOf(incoming.header("authorization"));
  const answers = sealOf(keyText, `${accountId} ${key}`);
  const made = sealOf(keyText, `made ${accountId} ${key}`);
  const outgoing = await run(async (own) => {
    const { idempotency } = own;
    if (idempotency === undefined) throw new Error("a request with a key runs without one");
    const effect = {
      accountId,
      key,
      operationId: idempotency.operationId,
      made: idempotency.made ? Buffer.from(made.open(idempotency.made), "base64") : null,
      seal: (bytes: Uint8Array) => made.close(Buffer.from(bytes).toString("base64")),
    };
    const answer = await markingEffect(effect, async () => work(own));
    return { ...answer, body: Buffer.from(answers.close(textOf(answer))) };
  });
  if (!(outgoing.body instanceof Uint8Array)) throw otherKey();
  return { ...outgoing, status: row.status ?? 200, body: answers.open(outgoing.body) };
}
