/** What two prices charge for each unit of many requests, before the rounding of each. */
import type { Family } from "../contract/states";
import { isPerOne, type Unit, units } from "../contract/units";
import type { Micropoints } from "../money/points";
import type { Price, TokenUsage } from "../pricing/price";
import { priceAt } from "../pricing/price-at";
import { rateFor } from "../pricing/price-lines";
import { quantitiesOf } from "../pricing/usage";

export interface UnitSum {
  readonly unit: Unit;
  readonly quantity: number;
  /** Null without a current price. */
  readonly atPresent: Micropoints | null;
  readonly atNew: Micropoints;
}

interface Sum {
  quantity: number;
  present: bigint;
  next: bigint;
}

const scale = 1_000_000_000_000n;

export class UnitSums {
  readonly #sums = new Map<Unit, Sum>();

  constructor(
    readonly family: Family,
    readonly present: Price | null,
    readonly next: Price,
  ) {}

  add(usage: TokenUsage, multiplierPpm: number): void {
    const quantities = quantitiesOf(this.family, usage);
    for (const unit of units) {
      const quantity = quantities[unit] ?? 0;
      if (quantity === 0) continue;
      const sum = this.#sums.get(unit) ?? { quantity: 0, present: 0n, next: 0n };
      const each = BigInt(quantity * (isPerOne(unit) ? 1_000_000 : 1)) * BigInt(multiplierPpm);
      const costAt = (price: Price) => each * rateFor(unit, priceAt(price, usage), usage.ordered);
      this.#sums.set(unit, {
        quantity: sum.quantity + quantity,
        present: sum.present + (this.present ? costAt(this.present) : 0n),
        next: sum.next + costAt(this.next),
      });
    }
  }

  /** The units that one of the prices counts, in their order. */
  sums(): UnitSum[] {
    const points = (amount: bigint) => (amount + scale - 1n) / scale;
    return units.flatMap((unit) => {
      const sum = this.#sums.get(unit);
      if (sum === undefined || (sum.present === 0n && sum.next === 0n)) return [];
      const { quantity, present, next } = sum;
      const atPresent = this.present === null ? null : points(present);
      return [{ unit, quantity, atPresent, atNew: points(next) }];
    });
  }
}
