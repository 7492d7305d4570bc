/** Claims the rows of requests with a key for this process, and stores their answers. */

import { newOperationId } from "../crypto/ids";
import { RelayError } from "../failures/relay-error";
import { goneSignal } from "../http/exchange";
import { noBody, type RawBody } from "../http/raw-body";
import type { Call, Log } from "../http/serve";
import { pause } from "../timing/pause";
import { type Answer, type Decision, decide } from "./decide";
import type { RequestFacts } from "./request-facts";
import type { EarlierRequest, RequestTable } from "./request-table";
import { isTextRow } from "./retries";

const WAIT_MS = 285_000;
const LOOK_AGAIN_MS = [50, 100, 200, 400];
const LOOK_AGAIN_MS_MAX = 800;
const RETRY_AFTER_SECONDS = 2;
/** A larger answer to an order without a key is created again from its row and file. */
const OWN_ANSWER_MAX = 64 * 1024;

const isMadeAgain = ({ fingerprint, endpoint }: RequestFacts): boolean =>
  fingerprint !== null && !isTextRow(endpoint);

export const stillRunning = () =>
  new RelayError("idempotency_in_progress", { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Why a request that waited for the answer of another ended: its client has left. */
export class WaiterLeft extends RelayError {
  constructor() {
    super("idempotency_in_progress", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/**
 * A request that waits keeps the hash of its body only. To run after all, it must be sent again.
 */
export function dropBody(call: Call): void {
  const held = call as { rawBody: RawBody; body: unknown };
  held.rawBody.release();
  held.rawBody = noBody;
  held.body = undefined;
}

export class Claims {
  /** The operations that this process works on. */
  readonly #running = new Set<string>();

  constructor(
    readonly table: RequestTable,
    readonly nodeId: string,
    readonly log: Log,
  ) {}

  /**
   * Claims the row for this request, or finds its answer. `hasBody` false: it cannot run itself.
   * Throws `WaiterLeft` when its client leaves.
   */
  async claim(
    facts: RequestFacts,
    call: Call,
    hasBody: boolean,
  ): Promise<Exclude<Decision, { do: "wait" }>> {
    const signal = goneSignal(call.incoming);
    const until = performance.now() + WAIT_MS;
    for (let looks = 0; ; ) {
      const claimed = await this.#tryToClaim(facts, hasBody);
      if (claimed === null) continue;
      if (claimed.do !== "wait") return claimed;
      if (signal.aborted) throw new WaiterLeft();
      if ((facts.isStream && !facts.keepsStream) || performance.now() > until) throw stillRunning();
      if (hasBody && call.rawBody.isLarge) {
        dropBody(call);
        hasBody = false;
      }
      await pause(LOOK_AGAIN_MS[looks++] ?? LOOK_AGAIN_MS_MAX, { signal });
    }
  }

  /** Null: another process was faster. Throws 409 if it would have to run without its body. */
  async #tryToClaim(facts: RequestFacts, hasBody: boolean): Promise<Decision | null> {
    const fresh = newOperationId();
    if (hasBody && (await this.marked(fresh, () => this.table.insert(facts, fresh))))
      return { do: "run", operationId: fresh, isResumed: false };
    const earlier = await this.table.find(facts);
    if (!earlier && hasBody) return null;
    const decision = earlier && decide(facts, earlier, this.#isWorkedOn(earlier));
    if (decision && decision.do !== "run") return decision;
    if (!decision || !hasBody) throw stillRunning();
    const { operationId, isResumed } = decision;
    // The other's request was not charged: its row stays, and this one runs as a new request.
    const claim = () =>
      earlier.isOthers && !isResumed
        ? this.table.insert(facts, operationId, true)
        : this.table.takeOver(facts, earlier, operationId);
    return (await this.marked(operationId, claim)) ? decision : null;
  }

  /**
   * Marks the operation as worked on by this process before the row is written. `end` removes the
   * mark.
   */
  async marked(operationId: string, claim: () => Promise<boolean>): Promise<boolean> {
    this.#running.add(operationId);
    let isClaimed = false;
    try {
      isClaimed = await claim();
      return isClaimed;
    } finally {
      if (!isClaimed) this.#running.delete(operationId);
    }
  }

  /** The id of the operation that follows, to which the row belongs now; null when it is another's. */
  async renew(facts: RequestFacts, operationId: string): Promise<string | null> {
    const next = newOperationId();
    const isOurs = await this.marked(next, () => this.table.renew(facts, operationId, next));
    if (isOurs) this.end(operationId);
    return isOurs ? next : null;
  }

  #isWorkedOn({ nodeId, operationId, isNodeAlive, isStale }: EarlierRequest): boolean {
    return nodeId === this.nodeId ? this.#running.has(operationId) : isNodeAlive && !isStale;
  }

  async keep(facts: RequestFacts, operationId: string, answer: Answer): Promise<boolean> {
    try {
      if (isMadeAgain(facts) && answer.body.length > OWN_ANSWER_MAX)
        return await this.table.isOwn(facts, operationId);
      return await this.table.store(facts, operationId, { state: "running", ...answer });
    } catch (error) {
      // The charge is durable; without a stored answer a retry is refused, never charged again.
      this.log.warn({ operationId, err: error }, "an answer could not be stored for its retries");
      return true;
    }
  }

  async quietly(write: Promise<unknown>): Promise<void> {
    await write.catch((error: unknown) =>
      this.log.warn({ err: error }, "an idempotent request's row could not be written"),
    );
  }

  store(facts: RequestFacts, operationId: string, answer: Answer): Promise<unknown> {
    if (isMadeAgain(facts) && answer.body.length > OWN_ANSWER_MAX)
      return this.table.letGo(facts, operationId);
    return this.table.store(facts, operationId, { state: "answered", ...answer });
  }

  /** Removes the mark of an operation that this process works on. */
  end(operationId: string): void {
    this.#running.delete(operationId);
  }
}
