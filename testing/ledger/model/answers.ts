/** What the ledger answers, as the reference has it. */
import type { HoldResult } from "@/lib/ledger/core/verbs";

/** An answer without what only the clock knows. */
export function plainHold(result: HoldResult): object {
  switch (result.result) {
    case "held":
      return { result: "held", amount: result.amount };
    case "key_budget_exhausted":
    case "member_budget_exhausted": {
      const { remaining, renewal } = result;
      return { result: result.result, remaining, period: renewal?.period ?? null };
    }
    case "key_tokens":
      return { result: "key_tokens", max: result.max };
    default:
      return result;
  }
}

/** Without the ids of entries; a refusal by its code. */
export const told = (asked: Promise<object>): Promise<object> =>
  asked.then(
    ({ entryId: _, accountId: __, ...rest }: { entryId?: unknown; accountId?: unknown }) => rest,
    ({ code }: { code?: string }) => ({ result: code }),
  );
