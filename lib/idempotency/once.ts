/** Runs a request with an Idempotency-Key once: its retries get its answer, or wait for it. */
import type pg from "pg";
import type { EndpointRow } from "../contract/endpoint";
import { isRelayError, RelayError } from "../errors";
import type { Outgoing } from "../http/exchange";
import type { KeyedCall, Log, Once, UseCase } from "../http/serve";
import { newOperationId } from "../ids";
import { pointsNumber } from "../points";
import { createRequestTable, type EarlierRequest, type RequestFacts, type RequestTable } from "./request-table";

interface Answer {
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}
/** Run it, in the operation given; or take the answer there is; or look again later. */
type Decision = { do: "run"; operationId: string; isResumed: boolean } | { do: "replay"; answer: Answer } | { do: "wait" };

const keyPattern = /^[\x20-\x7e]{1,255}$/;
/** Headers that belong to the answer, not to the one request. */
const keptHeaders = ["content-type", "x-relay-points", "x-relay-task-id", "x-relay-ignored-fields"];
const WAIT_MS = 285_000;
const LOOK_AGAIN_MS = [50, 100, 200, 400, 800];
const RETRY_AFTER_SECONDS = 2;
const TIDY_MS = 600_000;

const stillRunning = () => new RelayError("idempotency_in_progress", { retryAfterSeconds: RETRY_AFTER_SECONDS });

function finished(requestId: string): RelayError {
  const message = `The request ${requestId} with this Idempotency-Key has ended and was charged; its answer is not stored. Use a new key for a new request.`;
  return new RelayError("idempotency_finished", { message, fields: { request_id: requestId } });
}

function assertSame(facts: RequestFacts, earlier: { endpoint: string; sha256: Buffer }): void {
  if (earlier.endpoint !== facts.endpoint || !earlier.sha256.equals(facts.sha256)) throw new RelayError("idempotency_key_reused");
}

/** What to do about a request whose key was used before. Throws when there is nothing to do. */
export function decide(facts: RequestFacts, earlier: EarlierRequest, isWorkedOn: boolean): Decision {
  const anew: Decision = { do: "run", operationId: newOperationId(), isResumed: false };
  if (earlier.isExpired && !(earlier.state === "running" && isWorkedOn)) return anew;
  assertSame(facts, earlier);
  const { body, headers, outcome } = earlier;
  if (earlier.state === "answered" && body !== null) return { do: "replay", answer: { headers: headers ?? {}, body } };
  if (outcome === "released") return anew;
  if (outcome === "settled" && body !== null) {
    const points = String(pointsNumber(BigInt(earlier.amount ?? 0)));
    return { do: "replay", answer: { headers: { ...headers, "x-relay-points": points }, body } };
  }
  if (outcome === "settled" && facts.isStream) throw finished(earlier.requestId);
  if (isWorkedOn) return { do: "wait" };
  // A video goes on without the process that ordered it.
  if (earlier.family === "video") return { do: "run", operationId: earlier.operationId, isResumed: true };
  if (outcome === "settled") throw finished(earlier.requestId);
  return earlier.family === null ? anew : { do: "wait" };
}

function answerOf({ headers, body }: Outgoing): Answer {
  const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  return { headers: Object.fromEntries(kept), body: body as string | Uint8Array };
}

/** A stream is not stored, nor is a plain answer so large that it is passed on in pieces. */
function isStored({ isStream }: RequestFacts, { body }: Outgoing): boolean {
  return !isStream && (typeof body === "string" || body instanceof Uint8Array);
}

function replayed(call: KeyedCall, { headers, body }: Answer): Outgoing {
  return { status: 200, headers: Object.assign(call.headers, headers, { "idempotent-replayed": "true" }), body };
}

class OnceRunner implements Once {
  /** Requests of this process by account and key, from their arrival to their answer. */
  readonly #here = new Map<string, { facts: RequestFacts; answer: Promise<Answer> }>();
  /** Operations that this process works on. */
  readonly #running = new Set<string>();

  constructor(
    readonly table: RequestTable,
    readonly nodeId: string,
    readonly log: Log,
  ) {}

  async run(row: EndpointRow, key: string, call: KeyedCall, work: UseCase): Promise<Outgoing> {
    if (!keyPattern.test(key)) {
      throw new RelayError("invalid_value", { message: "The Idempotency-Key header must be 1 to 255 printable ASCII characters." });
    }
    const facts: RequestFacts = {
      accountId: call.key.accountId,
      key,
      endpoint: row.name,
      sha256: call.sent.sha256(),
      isStream: (call.body as { stream?: unknown }).stream === true,
      requestId: call.requestId,
    };
    const slot = `${facts.accountId}\n${key}`;
    const first = this.#here.get(slot);
    if (first) {
      assertSame(facts, first.facts);
      if (facts.isStream) throw stillRunning();
      return replayed(call, await first.answer);
    }
    const answer = resolvers<Answer>();
    answer.promise.catch(() => {});
    this.#here.set(slot, { facts, answer: answer.promise });
    try {
      const outgoing = await this.#lead(facts, call, work);
      if (isStored(facts, outgoing)) answer.resolve(answerOf(outgoing));
      else answer.reject(stillRunning());
      return outgoing;
    } catch (error) {
      answer.reject(error);
      throw error;
    } finally {
      this.#here.delete(slot);
    }
  }

  async #lead(facts: RequestFacts, call: KeyedCall, work: UseCase): Promise<Outgoing> {
    const decision = await this.#claim(facts, call);
    if (decision.do === "replay") return replayed(call, decision.answer);
    const { operationId, isResumed } = decision;
    try {
      const keep = (body: string) => this.#keep(facts, operationId, body);
      const outgoing = await work({ ...call, once: { operationId, isResumed, keep } });
      if (isStored(facts, outgoing))
        await this.#quietly(this.table.store(facts, operationId, { state: "answered", ...answerOf(outgoing) }));
      return outgoing;
    } catch (error) {
      const goesOn = isRelayError(error) && error.code === "task_still_running";
      await this.#quietly(goesOn ? this.table.letGo(facts, operationId) : this.table.forget(facts, operationId));
      throw error;
    } finally {
      this.#running.delete(operationId);
    }
  }

  /** The row becomes this request's, or the answer is there. */
  async #claim(facts: RequestFacts, call: KeyedCall): Promise<Exclude<Decision, { do: "wait" }>> {
    let isGone = false;
    call.incoming.onGone(() => {
      isGone = true;
    });
    const until = performance.now() + WAIT_MS;
    for (let looks = 0; ; ) {
      const claimed = await this.#tryToClaim(facts);
      if (claimed === null) continue;
      if (claimed.do !== "wait") return claimed;
      if (facts.isStream || isGone || performance.now() > until) throw stillRunning();
      const pause = LOOK_AGAIN_MS[Math.min(looks++, LOOK_AGAIN_MS.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Null: somebody else was faster at this moment. */
  async #tryToClaim(facts: RequestFacts): Promise<Decision | null> {
    const fresh = newOperationId();
    if (await this.#marked(fresh, () => this.table.insert(facts, fresh))) return { do: "run", operationId: fresh, isResumed: false };
    const earlier = await this.table.find(facts.accountId, facts.key);
    if (!earlier) return null;
    const decision = decide(facts, earlier, this.#isWorkedOn(earlier));
    if (decision.do !== "run") return decision;
    const { operationId } = decision;
    return (await this.#marked(operationId, () => this.table.takeOver(facts, earlier, operationId))) ? decision : null;
  }

  /** Counts the operation as worked on here from before the row says so; `#lead` ends that. */
  async #marked(operationId: string, claim: () => Promise<boolean>): Promise<boolean> {
    this.#running.add(operationId);
    let isClaimed = false;
    try {
      isClaimed = await claim();
      return isClaimed;
    } finally {
      if (!isClaimed) this.#running.delete(operationId);
    }
  }

  #isWorkedOn({ nodeId, operationId, isNodeAlive }: EarlierRequest): boolean {
    return nodeId === this.nodeId ? this.#running.has(operationId) : isNodeAlive;
  }

  async #keep(facts: RequestFacts, operationId: string, body: string): Promise<boolean> {
    try {
      const headers = { "content-type": "application/json; charset=utf-8" };
      return await this.table.store(facts, operationId, { state: "running", headers, body });
    } catch (error) {
      // The charge itself survives an outage, and without a stored answer a retry is refused, never charged again.
      this.log.warn({ operationId, err: error }, "an answer could not be stored for its retries");
      return true;
    }
  }

  async #quietly(write: Promise<unknown>): Promise<void> {
    await write.catch((error: unknown) => this.log.warn({ err: error }, "an idempotent request's row could not be written"));
  }
}

function resolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((take, refuse) => {
    resolve = take;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** Keeps requests with a key for 24 hours, across processes; `nodeId` is this one's. `close` ends its clean-up. */
export function openOnce(pool: pg.Pool, nodeId: string, log: Log): Once & { close(): void } {
  const table = createRequestTable(pool, nodeId);
  const runner = new OnceRunner(table, nodeId, log);
  const tidy = setInterval(() => {
    table.removeExpired().catch((error: unknown) => log.warn({ err: error }, "expired requests could not be removed"));
  }, TIDY_MS);
  tidy.unref();
  return { run: (row, key, call, work) => runner.run(row, key, call, work), close: () => clearInterval(tidy) };
}
