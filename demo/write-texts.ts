/** Writes the chat requests: many in one batch, each with its own time. */
import { outputTokensWithin } from "@/lib/pricing/price";
import { chargeOf, holdAmountOf } from "@/lib/relay/order/charge";
import type { TextOrder } from "./orders";
import { DAY } from "./rhythm";
import {
  type HeldOrder,
  holdRequest,
  keyOf,
  lossOf,
  noteHealth,
  outcomeOf,
  upstreamRefOf,
} from "./write-orders";
import type { Writing } from "./writing";

/** The ledger takes as many in one batch, on one connection. */
const BATCH_MAX = 200;
const DEADLINE_SECONDS = 7200;
/** The least output that the relay sells. */
const OUTPUT_TOKENS_MIN = 256;

interface HeldText extends HeldOrder<TextOrder> {
  readonly inputTokensMax: number;
}

const endOf = ({ order }: HeldText) => order.at + order.durationMs;

async function openText(writing: Writing, order: TextOrder): Promise<HeldText | null> {
  const apiKeyId = keyOf(writing, order);
  if (apiKeyId === undefined) return null;
  const { accountId } = writing.person(order.person.email);
  const sold = writing.priced(accountId, order.model);
  // The bound counts bytes, of which a token has about four.
  const inputTokensMax = Math.round(order.inputTokens * 4.2) + 64;
  const amountFor = (outputTokens: number) =>
    holdAmountOf({ inputTokens: inputTokensMax, outputTokens }, sold);
  const holdAmount = amountFor(order.capTokens);
  const request = holdRequest(writing, order, apiKeyId, sold, {
    quoteAmount: holdAmount,
    holdAmount,
    holdAmountMin: amountFor(Math.min(order.capTokens, OUTPUT_TOKENS_MIN)),
    deadlineSeconds: DEADLINE_SECONDS,
  });
  const held = await writing.demo.ledger.openHold(request);
  if (held.result !== "held") return null;
  const { operationId } = request;
  return { order, accountId, operationId, sold, held: held.amount, inputTokensMax };
}

/** An upstream that keeps its bound writes no more than the hold covers. */
function outputTokensOf({ order, held, sold, inputTokensMax }: HeldText): number {
  if (order.loss === "usage_over_hold") return order.outputTokens;
  const { price, multiplierPpm } = sold;
  return Math.min(
    order.outputTokens,
    outputTokensWithin(held, inputTokensMax, price.price, multiplierPpm),
  );
}

async function endText(writing: Writing, text: HeldText): Promise<void> {
  const { order, accountId, operationId, sold } = text;
  const { ledger } = writing.demo;
  noteHealth(writing, order);
  if (order.failure !== null) {
    const reason = order.failure;
    const outcome = outcomeOf(writing, order, null);
    await ledger.release({ operationId, accountId, reason, loss: lossOf(text), outcome });
    return;
  }
  const outputTokens = outputTokensOf(text);
  const usage = { inputTokens: order.inputTokens, outputTokens };
  const reported = {
    prompt_tokens: order.inputTokens,
    completion_tokens: outputTokens,
    total_tokens: order.inputTokens + outputTokens,
  };
  await ledger.settle({
    operationId,
    accountId,
    amount: chargeOf(usage, sold.price.price, sold.multiplierPpm),
    usage: { ...usage, reported },
    outcome: outcomeOf(writing, order, upstreamRefOf(order)),
  });
}

/** Parts of at most `BATCH_MAX`, each within one day: the ledger sums the charges of a day. */
function batchesOf<T>(items: readonly T[], timeOf: (item: T) => number): T[][] {
  const batches: T[][] = [];
  for (const item of items) {
    const last = batches.at(-1);
    const first = last?.[0];
    const isSameDay =
      first !== undefined && Math.floor(timeOf(first) / DAY) === Math.floor(timeOf(item) / DAY);
    if (last === undefined || !isSameDay || last.length >= BATCH_MAX) batches.push([item]);
    else last.push(item);
  }
  return batches;
}

/** Writes the orders up to a time; they are given by time. */
export class TextWriter {
  #begun = 0;
  #open: HeldText[] = [];
  #day = 0;

  constructor(
    readonly writing: Writing,
    readonly orders: readonly TextOrder[],
  ) {}

  /** Opens and ends what lies before `time`. */
  async writeUntil(time: number): Promise<void> {
    const from = this.#begun;
    while ((this.orders[this.#begun]?.at ?? Number.POSITIVE_INFINITY) < time) this.#begun++;
    for (const batch of batchesOf(this.orders.slice(from, this.#begun), ({ at }) => at)) {
      await this.#setClock(batch.at(-1)?.at ?? time);
      const held = await Promise.all(batch.map((order) => openText(this.writing, order)));
      this.#open.push(...held.filter((text) => text !== null));
    }
    const ending = this.#open
      .filter((text) => endOf(text) < time)
      .sort((one, other) => endOf(one) - endOf(other));
    if (ending.length === 0) return;
    this.#open = this.#open.filter((text) => endOf(text) >= time);
    for (const batch of batchesOf(ending, endOf)) {
      const last = batch.at(-1);
      if (last !== undefined) await this.#setClock(endOf(last));
      await Promise.all(batch.map((text) => endText(this.writing, text)));
    }
  }

  /** Requests have times of their own: of the clock's, the ledger uses the day. */
  async #setClock(time: number): Promise<void> {
    const { clock } = this.writing.demo;
    if (Math.floor(time / DAY) !== this.#day) await clock.set(time);
    this.#day = Math.floor(time / DAY);
  }
}
