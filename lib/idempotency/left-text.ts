/**
 * A plain answer of text that is made for a request without a key. Nothing of it is written as long
 * as its client waits; when the client leaves, the request gets a row, so that the retry of the
 * client's library joins it, in whichever process.
 */

import { newOperationId } from "../crypto/ids";
import type { Secrets } from "../crypto/secrets";
import type { Outgoing } from "../http/exchange";
import type { IdempotentRun } from "../http/serve";
import type { Claims } from "./claims";
import type { Answer } from "./decide";
import { answerToKeep, keptAnswer } from "./kept-answer";
import type { RequestFacts } from "./request-facts";

export class LeftText {
  /** Resolves with whether the request has a row; null as long as its client waits. */
  #written: Promise<boolean> | null = null;
  #facts: RequestFacts | null = null;
  #answer: Answer | null = null;
  #isOver = false;
  readonly run: IdempotentRun;

  constructor(
    readonly claims: Claims,
    readonly secrets: Secrets,
    public operationId: string,
    /** Asked once, when the client has left. */
    readonly factsOf: () => RequestFacts,
    key: string,
  ) {
    const keep = (body: string) => this.#keep(body);
    const renew = () => this.#renew();
    const plain = { isResumed: false, keepsStream: false, keepsLarge: false } as const;
    this.run = { operationId, key, keep, renew, ...plain };
  }

  #own(): RequestFacts {
    this.#facts ??= this.factsOf();
    return this.#facts;
  }

  /** The client has left, before or after the end. */
  leave(): void {
    this.#written ??= this.#write();
    if (this.#isOver) void this.#end();
  }

  async #write(): Promise<boolean> {
    const { claims, operationId } = this;
    const { table } = claims;
    const facts = this.#own();
    try {
      if (!(await claims.marked(operationId, () => table.insertOrder(facts, operationId))))
        return false;
      await table.leaveOrder(facts);
      return true;
    } catch (err) {
      claims.log.warn({ operationId, err }, "a request whose client left could not be written");
      return false;
    }
  }

  async #renew(): Promise<string | null> {
    const isWritten = this.#written !== null && (await this.#written);
    const next = isWritten
      ? await this.claims.renew(this.#own(), this.operationId)
      : newOperationId();
    if (next !== null) this.operationId = next;
    return next;
  }

  async #keep(body: string): Promise<boolean> {
    if (this.#written === null || !(await this.#written)) return true;
    const answer = answerToKeep(this.secrets, this.#own(), body);
    return this.claims.keep(this.#own(), this.operationId, answer);
  }

  /** The answer is complete. */
  async finish(outgoing: Outgoing): Promise<void> {
    this.#answer = typeof outgoing.body === "string" ? { ...outgoing, body: outgoing.body } : null;
    await this.#end();
  }

  /** There is no answer: a retry is a request of its own. */
  async fail(): Promise<void> {
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    if (this.#written === null || !(await this.#written)) return;
    const { claims, operationId } = this;
    const facts = this.#own();
    const kept = this.#answer && keptAnswer(facts, { status: 200, ...this.#answer });
    const sealed = kept && { ...kept, ...sealedBody(this.secrets, facts, kept) };
    await claims.quietly(
      sealed ? claims.store(facts, operationId, sealed) : claims.table.forget(facts, operationId),
    );
    claims.end(operationId);
  }
}

const sealedBody = (secrets: Secrets, facts: RequestFacts, { body }: Answer) => ({
  body: answerToKeep(secrets, facts, String(body)).body,
});
