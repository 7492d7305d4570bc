import type { z } from "zod";
import type { statementQuery } from "../contract/usage";
import { csvLine } from "../csv";
import { RelayError } from "../errors";
import { formatPoints } from "../points";
import type { QueryDeps } from "./query-deps";
import { statementBetween } from "./spend";

const LINES_MAX = 20_000;

type Deps = Pick<QueryDeps, "pool">;
type Range = z.output<typeof statementQuery> & { readonly accountId: string };

const readStatement = ({ pool }: Deps, { accountId, ...range }: Range) =>
  statementBetween(pool, accountId, { ...range, linesMax: LINES_MAX });

export async function showStatement(deps: Deps, range: Range) {
  const { opening, credits, takenBack, charges, closing, lines } = await readStatement(deps, range);
  return {
    opening: formatPoints(opening),
    credits: formatPoints(credits),
    takenBack: formatPoints(takenBack),
    charges: formatPoints(charges),
    closing: formatPoints(closing),
    lineCount: lines.length,
  };
}

/**
 * A statement as CSV: the opening balance, every credit, the charges of each day, model and key,
 * and the closing balance, each with the balance after it. Rejects with `range_too_large` instead
 * of leaving lines out.
 */
export async function statementCsv(deps: Deps, range: Range): Promise<AsyncGenerator<string>> {
  const { opening, closing, lines, isCut } = await readStatement(deps, range);
  if (isCut) throw new RelayError("range_too_large");
  async function* records() {
    yield csvLine([
      "day_utc",
      "kind",
      "model",
      "key",
      "requests",
      "reason",
      "points",
      "balance_points",
    ]);
    yield csvLine([range.from, "opening", null, null, null, null, null, formatPoints(opening)]);
    let balance = opening;
    for (const { day, kind, model, keyName, requests, reason, amount } of lines) {
      balance += amount;
      yield csvLine([
        day,
        kind,
        model,
        keyName,
        requests,
        reason,
        formatPoints(amount),
        formatPoints(balance),
      ]);
    }
    yield csvLine([range.to, "closing", null, null, null, null, null, formatPoints(closing)]);
  }
  return records();
}
