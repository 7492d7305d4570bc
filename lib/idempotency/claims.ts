/** Which process works on a request with a key, and what its row is told. */
import { RelayError } from "../errors";
import { noBody, type SentBody } from "../http/sent-body";
import type { Call, Log } from "../http/serve";
import { newOperationId } from "../ids";
import { pause } from "../pause";
import { type Answer, type Decision, decide } from "./decide";
import type { RequestFacts } from "./request-facts";
import type { EarlierRequest, RequestTable } from "./request-table";

const WAIT_MS = 285_000;
const LOOK_AGAIN_MS = [50, 100, 200, 400];
const LOOK_AGAIN_MS_MAX = 800;
const RETRY_AFTER_SECONDS = 2;
/** Larger answers to orders without a key are not stored: they are made again from what was kept of the order. */
const OWN_ANSWER_MAX = 64 * 1024;

export const stillRunning = () => new RelayError("idempotency_in_progress", { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** What waits for another request's answer holds the hash of its body, not the body. If it has to run after all, it must be sent again. */
export function dropBody(call: Call): void {
  const held = call as { sent: SentBody; body: unknown };
  held.sent.release();
  held.sent = noBody;
  held.body = undefined;
}

export class Claims {
  /** Operations that this process works on. */
  readonly #running = new Set<string>();

  constructor(
    readonly table: RequestTable,
    readonly nodeId: string,
    readonly log: Log,
  ) {}

  /** The row becomes this request's, or the answer is there. */
  async claim(facts: RequestFacts, call: Call): Promise<Exclude<Decision, { do: "wait" }>> {
    let isGone = false;
    call.incoming.onGone(() => {
      isGone = true;
    });
    const until = performance.now() + WAIT_MS;
    for (let looks = 0, hasBody = true; ; ) {
      const claimed = await this.#tryToClaim(facts, hasBody);
      if (claimed === null) continue;
      if (claimed.do !== "wait") return claimed;
      if (facts.isStream || isGone || performance.now() > until) throw stillRunning();
      if (hasBody && call.sent.isLarge) {
        dropBody(call);
        hasBody = false;
      }
      await pause(LOOK_AGAIN_MS[looks++] ?? LOOK_AGAIN_MS_MAX);
    }
  }

  /** Null: somebody else was faster at this moment. Throws 409 where the request would have to run and its body was dropped. */
  async #tryToClaim(facts: RequestFacts, hasBody: boolean): Promise<Decision | null> {
    const fresh = newOperationId();
    if (hasBody && (await this.marked(fresh, () => this.table.insert(facts, fresh))))
      return { do: "run", operationId: fresh, isResumed: false };
    const earlier = await this.table.find(facts.accountId, facts.key);
    if (!earlier && hasBody) return null;
    const decision = earlier && decide(facts, earlier, this.#isWorkedOn(earlier));
    if (decision && decision.do !== "run") return decision;
    if (!decision || !hasBody) throw stillRunning();
    const { operationId } = decision;
    return (await this.marked(operationId, () => this.table.takeOver(facts, earlier, operationId))) ? decision : null;
  }

  /** Counts the operation as worked on here from before the row says so; `end` takes it back. */
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

  #isWorkedOn({ nodeId, operationId, isNodeAlive, isStale }: EarlierRequest): boolean {
    return nodeId === this.nodeId ? this.#running.has(operationId) : isNodeAlive && !isStale;
  }

  async keep(facts: RequestFacts, operationId: string, body: string): Promise<boolean> {
    try {
      if (facts.fingerprint !== null && body.length > OWN_ANSWER_MAX) return await this.table.isOwn(facts, operationId);
      const headers = { "content-type": "application/json; charset=utf-8" };
      return await this.table.store(facts, operationId, { state: "running", headers, body });
    } catch (error) {
      // The charge itself survives an outage, and without a stored answer a retry is refused, never charged again.
      this.log.warn({ operationId, err: error }, "an answer could not be stored for its retries");
      return true;
    }
  }

  async quietly(write: Promise<unknown>): Promise<void> {
    await write.catch((error: unknown) => this.log.warn({ err: error }, "an idempotent request's row could not be written"));
  }

  store(facts: RequestFacts, operationId: string, answer: Answer): Promise<unknown> {
    if (facts.fingerprint !== null && answer.body.length > OWN_ANSWER_MAX) return this.table.letGo(facts, operationId);
    return this.table.store(facts, operationId, { state: "answered", ...answer });
  }

  /** The operation is worked on here no more. */
  end(operationId: string): void {
    this.#running.delete(operationId);
  }
}
