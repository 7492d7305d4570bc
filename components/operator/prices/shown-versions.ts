import { rateChanges } from "@/lib/client/rate-changes";
import type { PriceVersionView } from "@/lib/contract/operator-prices";

export interface ShownVersion {
  readonly version: PriceVersionView;
  /** Whether another version took its place before it applied. */
  readonly isCancelled: boolean;
}

const hasPriceOf = (one: PriceVersionView, other: PriceVersionView | undefined): boolean =>
  other !== undefined && rateChanges(other.rates, one.rates).length === 0;

/**
 * The versions of a list, the latest first. To withdraw an announced price, a version with the price
 * before it is set for the same moment: the announced one is cancelled, and the other left out.
 */
export function shownVersions(versions: readonly PriceVersionView[]): ShownVersion[] {
  return versions.flatMap((version, at) => {
    const isOfSameMoment = (each: PriceVersionView) =>
      each.model === version.model && each.effectiveAt === version.effectiveAt;
    const isCancelled = versions.slice(0, at).some(isOfSameMoment);
    const replaced = versions.slice(at + 1).some(isOfSameMoment);
    const before = versions
      .slice(at + 1)
      .find((each) => each.model === version.model && !isOfSameMoment(each));
    const isWithdrawal = !isCancelled && replaced && hasPriceOf(version, before);
    return isWithdrawal ? [] : [{ version, isCancelled }];
  });
}
