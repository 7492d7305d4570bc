/**
 * Runs a request with an Idempotency-Key once: a retry gets the stored answer, or waits for it. The
 * value belongs to the key or the person who sends it. The same request with the same value by another
 * key of the account is a retry too where that key may read the answer, as after a change of keys;
 * for all others the earlier request does not exist.
 * Orders of videos and images without a key are stored too, so that a client library's retry joins
 * the order it repeats; `retries.ts` says which one. Of streams, only those of a page's chat are
 * stored: for the page that was closed or loaded again before the end.
 */

import type pg from "pg";
import type { ApiKeyPrincipal, Principal } from "../accounts/principal";
import type { EndpointRow } from "../contract/endpoint";
import { newOperationId } from "../crypto/ids";
import type { Secrets } from "../crypto/secrets";
import { isRelayError, RelayError } from "../failures/relay-error";
import type { Outgoing } from "../http/exchange";
import type { Call, CallOf, IdempotencyRunner, IdempotentRun, Log, UseCase } from "../http/serve";
import { resolvers } from "../timing/resolvers";
import { Claims, dropBody, stillRunning, WaiterLeft } from "./claims";
import { type Answer, assertSame, type Run } from "./decide";
import { answerToKeep, keptAnswer, openedAnswer, replayed } from "./kept-answer";
import { LeftText } from "./left-text";
import { oncePerKey } from "./once-per-key";
import { assertAllowed, keepsStream, orderOf } from "./order-fields";
import { askerOf, type RequestFacts, sha256Of } from "./request-facts";
import { createRequestTable, type RequestTable } from "./request-table";
import { FailedOrders, fingerprintOf, isRetry, isTextRow, joinsRetries, mayJoin } from "./retries";

/** Says whether the answer comes from the order of an earlier attempt. */
const JOINED = "idempotent-joined";
const slotOf = ({ accountId, askedBy, key }: RequestFacts) => `${accountId}\n${askedBy}\n${key}`;
const keyPattern = /^[\x20-\x7e]{1,255}$/;
/** The prefix of the keys we make ourselves. No header can contain it. */
const OWN_KEY = "\u001f";

/** The facts of a request without a key. */
function ownFacts(call: Call, principal: ApiKeyPrincipal, operationId: string): RequestFacts {
  const sha256 = call.rawBody.sha256();
  return {
    ...askerOf(principal),
    key: OWN_KEY + operationId,
    endpoint: call.row.name,
    sha256,
    isStream: false,
    keepsStream: false,
    requestId: call.requestId,
    fingerprint: fingerprintOf(call.row, principal, sha256),
  };
}

/** A use case bound to its call, which runs in the given operation. */
type Work = (idempotency: IdempotentRun) => Outgoing | Promise<Outgoing>;

class DatabaseIdempotencyRunner implements IdempotencyRunner {
  /** The requests in this process by account, asker and key, from their arrival to their answer. */
  readonly #running = new Map<string, { facts: RequestFacts; answer: Promise<Answer> }>();
  readonly #claims: Claims;
  readonly #failed = new FailedOrders();

  constructor(
    readonly table: RequestTable,
    readonly secrets: Secrets,
    nodeId: string,
    log: Log,
  ) {
    this.#claims = new Claims(table, nodeId, log);
  }

  run<Row extends EndpointRow>(
    key: string,
    call: CallOf<Row>,
    work: UseCase<Row>,
  ): Promise<Outgoing> {
    const run = (given: UseCase<Row>) => this.#keyed(key, call, given);
    return call.row.billing === "generation" ? run(work) : oncePerKey(run, key, call, work);
  }

  async #keyed<Row extends EndpointRow>(
    key: string,
    call: CallOf<Row>,
    work: UseCase<Row>,
  ): Promise<Outgoing> {
    if (!keyPattern.test(key)) {
      throw new RelayError("invalid_value", {
        message: "The Idempotency-Key header must be 1 to 255 printable ASCII characters.",
      });
    }
    if (call.row.billing === "generation") assertAllowed(call);
    const facts: RequestFacts = {
      ...askerOf(call.principal),
      key,
      endpoint: call.row.name,
      sha256: sha256Of(call),
      isStream: orderOf(call).stream === true,
      keepsStream: keepsStream(call),
      requestId: call.requestId,
      fingerprint: null,
    };
    return this.#runOrJoin(facts, call, (idempotency) => work({ ...call, idempotency }));
  }

  runUnkeyed<Row extends EndpointRow>(
    call: CallOf<Row>,
    work: UseCase<Row>,
  ): Outgoing | Promise<Outgoing> {
    const isClientRetry = isRetry(call.incoming);
    const { principal }: Call = call;
    if (joinsRetries(call.row) && principal.kind === "apiKey")
      return this.#order(principal, call, work, isClientRetry);
    const isPlainText = isTextRow(call.row.name) && orderOf(call).stream !== true;
    if (isPlainText && principal.kind === "apiKey")
      return isClientRetry
        ? this.#retryText(principal, call, work)
        : this.#plainText(principal, call, work);
    if (isClientRetry) call.headers[JOINED] = "false";
    return work(call);
  }

  noteFailure(row: EndpointRow, principal: Principal): void {
    if (mayJoin(row)) this.#failed.note(row, principal);
  }

  async #retryText<Row extends EndpointRow>(
    principal: ApiKeyPrincipal,
    call: CallOf<Row>,
    work: UseCase<Row>,
  ): Promise<Outgoing> {
    assertAllowed(call);
    const facts = ownFacts(call, principal, newOperationId());
    const key = await this.#takeOrder(call.row, principal, facts);
    if (key !== null)
      return this.#join({ ...facts, key }, call, (idempotency) => work({ ...call, idempotency }));
    call.headers[JOINED] = "false";
    return this.#plainText(principal, call, work);
  }

  /** Runs it; if its client leaves, a retry can join it. */
  async #plainText<Row extends EndpointRow>(
    principal: ApiKeyPrincipal,
    call: CallOf<Row>,
    work: UseCase<Row>,
  ): Promise<Outgoing> {
    const operationId = newOperationId();
    const factsOf = () => ownFacts(call, principal, operationId);
    const key = OWN_KEY + operationId;
    const left = new LeftText(this.#claims, this.secrets, operationId, factsOf, key);
    call.incoming.onGone(() => left.leave());
    try {
      const outgoing = await work({ ...call, idempotency: left.run });
      await left.finish(outgoing);
      return outgoing;
    } catch (error) {
      await left.fail();
      throw error;
    }
  }

  async #order<Row extends EndpointRow>(
    principal: ApiKeyPrincipal,
    call: CallOf<Row>,
    work: UseCase<Row>,
    isClientRetry: boolean,
  ): Promise<Outgoing> {
    assertAllowed(call);
    const { row } = call;
    const within: Work = (idempotency) => work({ ...call, idempotency });
    const operationId = newOperationId();
    const facts = ownFacts(call, principal, operationId);
    const key = isClientRetry ? await this.#takeOrder(row, principal, facts) : null;
    if (key !== null) return this.#join({ ...facts, key }, call, within);
    if (isClientRetry) call.headers[JOINED] = "false";
    // The row of the order is written before anything is charged.
    if (!(await this.#claims.marked(operationId, () => this.table.insertOrder(facts, operationId))))
      return work(call);
    this.#leaveWithClient(facts, call);
    return this.#share(facts, () =>
      this.#work(facts, { do: "run", operationId, isResumed: false }, within),
    );
  }

  async #takeOrder(
    row: EndpointRow,
    principal: ApiKeyPrincipal,
    facts: RequestFacts,
  ): Promise<string | null> {
    const free = await this.table.takeOrder(facts, false);
    if (free !== null || this.#failed.take(row, principal)) return free;
    return this.table.takeOrder(facts, true);
  }

  #join(facts: RequestFacts, call: Call, work: Work): Promise<Outgoing> {
    call.headers[JOINED] = "true";
    this.#leaveWithClient(facts, call);
    return this.#runOrJoin(facts, call, work);
  }

  /** Marks the order as free for a retry as soon as its waiting client has gone. */
  #leaveWithClient(facts: RequestFacts, call: Call): void {
    call.incoming.onGone(() => void this.#claims.quietly(this.table.leaveOrder(facts)));
  }

  async #runOrJoin(facts: RequestFacts, call: Call, work: Work, hasBody = true): Promise<Outgoing> {
    const first = this.#running.get(slotOf(facts));
    if (!first) return this.#share(facts, () => this.#lead(facts, call, work, hasBody));
    assertSame(facts, first.facts);
    if (facts.keepsStream) return this.#lead(facts, call, work, hasBody);
    if (facts.isStream) throw stillRunning();
    dropBody(call);
    const answer = await first.answer.catch((error: unknown) => {
      if (error instanceof WaiterLeft) return null;
      throw error;
    });
    // The one that waited for all in this process has left: another waits in its place.
    if (answer === null) return this.#runOrJoin(facts, call, work, false);
    return replayed(call, answer, facts);
  }

  /** Gives the answer also to equal requests that reach this process meanwhile. */
  async #share(facts: RequestFacts, lead: () => Promise<Outgoing>): Promise<Outgoing> {
    const slot = slotOf(facts);
    const answer = resolvers<Answer>();
    answer.promise.catch(() => {});
    this.#running.set(slot, { facts, answer: answer.promise });
    try {
      const outgoing = await lead();
      const kept = keptAnswer(facts, outgoing);
      if (kept) answer.resolve(kept);
      else answer.reject(stillRunning());
      return outgoing;
    } catch (error) {
      answer.reject(error);
      throw error;
    } finally {
      this.#running.delete(slot);
    }
  }

  async #lead(facts: RequestFacts, call: Call, work: Work, hasBody: boolean): Promise<Outgoing> {
    const decision = await this.#claims.claim(facts, call, hasBody);
    if (decision.do === "replay")
      return replayed(call, openedAnswer(this.secrets, facts, decision.answer), facts);
    if (!decision.isResumed && facts.fingerprint !== null) call.headers[JOINED] = "false";
    return this.#work(facts, decision, work);
  }

  async #work(facts: RequestFacts, first: Run, work: Work): Promise<Outgoing> {
    let { operationId } = first;
    const renew = async () => {
      const next = await this.#claims.renew(facts, operationId);
      if (next !== null) operationId = next;
      return next;
    };
    try {
      const keep = (body: string) =>
        this.#claims.keep(facts, operationId, answerToKeep(this.secrets, facts, body));
      const { key, keepsStream } = facts;
      const outgoing = await work({ ...first, key, keep, renew, keepsStream });
      const kept = keptAnswer(facts, outgoing);
      if (kept) await this.#claims.quietly(this.#claims.store(facts, operationId, kept));
      return outgoing;
    } catch (error) {
      const isStillRunning = isRelayError(error) && error.code === "task_still_running";
      await this.#claims.quietly(
        isStillRunning
          ? this.table.letGo(facts, operationId)
          : this.table.forget(facts, operationId),
      );
      throw error;
    } finally {
      this.#claims.end(operationId);
    }
  }
}

/** Stores requests with a key for 24 hours; `nodeId` is this process's. */
export function openIdempotencyRunner(
  { relayPool, secrets }: { relayPool: pg.Pool; secrets: Secrets },
  nodeId: string,
  log: Log,
): IdempotencyRunner {
  return new DatabaseIdempotencyRunner(createRequestTable(relayPool, nodeId), secrets, nodeId, log);
}
