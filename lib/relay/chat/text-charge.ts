/** What an answer of text is charged, and its settlement. */

import type { Asks } from "../../dialects/text-asks";
import type { Log } from "../../http/serve";
import type { Micropoints } from "../../money/points";
import type { TokenUsage } from "../../pricing/price";
import type { ChatEnd, ReportedUsage } from "../../upstream/provider";
import { chargedAmount, chargeOf, settledUsage } from "../order/charge";
import type { PricedModel } from "../order/find-model";
import { type HeldOrder, releaseHold } from "../order/hold";
import { usageCounts } from "../order/usage-counts";
import { billedUsage } from "./text-bounds";
import { reportMissingUsage, reportOverBound } from "./usage-alarms";

/** A usage report has its details in nested objects. */
const REPORTED_LEVELS = 2;

interface Charged {
  readonly usage: TokenUsage;
  readonly amount: Micropoints;
}

/** Asked for several times of one usage: by the answer, and by its settlement. */
export class TextCharge {
  #charged: (Charged & { readonly reported: ReportedUsage }) | null = null;

  constructor(
    readonly order: PricedModel,
    /** What the request asked for at the channel that answered. */
    readonly asks: () => Asks,
  ) {}

  of(reported: ReportedUsage): Charged {
    if (this.#charged?.reported !== reported) {
      const { price, multiplierPpm, time } = this.order;
      const usage = billedUsage(reported, this.asks(), price.price, time);
      const amount = chargeOf(usage, price.price, multiplierPpm);
      this.#charged = { reported, usage, amount };
    }
    return this.#charged;
  }

  /** The charge for the answer's usage; null when it cannot be billed. */
  within({ usage, hasContent }: ChatEnd, heldAmount: Micropoints): Micropoints | null {
    const isEmptyCount =
      usage !== null && usage.inputTokens === 0 && usage.outputTokens === 0 && hasContent;
    if (usage === null || isEmptyCount) return null;
    const { amount } = this.of(usage);
    return amount > heldAmount ? heldAmount : amount;
  }
}

interface Held extends HeldOrder {
  readonly deps: HeldOrder["deps"] & { readonly log: Log };
}

/**
 * Charges the reported usage, or releases the hold when there is none that can be billed. Resolves
 * when that is durable. `reason`: why the answer was cut.
 */
export async function settleText(
  operation: Held,
  charge: TextCharge,
  end: ChatEnd,
  reason: string | null,
): Promise<Micropoints> {
  const { deps, call, channel, heldAmount } = operation;
  const { usage } = end;
  if (usage === null || charge.within(end, heldAmount) === null) {
    const fault = end.usageFault ?? "absurd";
    reportMissingUsage(operation, fault);
    await releaseHold(operation, "usage_missing", { fault }, end.upstreamRef);
    return 0n;
  }
  deps.chooser.reportUsage(channel, true);
  const { amount, usage: billed } = charge.of(usage);
  if (amount > heldAmount) reportOverBound(operation);
  const ended = await deps.ledger.settle({
    operationId: operation.id,
    accountId: call.principal.accountId,
    amount,
    usage: settledUsage("text", billed, usageCounts(usage.reported, REPORTED_LEVELS)),
    reason,
    outcome: operation.outcome(end.upstreamRef),
  });
  return chargedAmount(ended);
}
