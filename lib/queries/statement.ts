import type { z } from "zod";
import type { statementQuery } from "../contract/usage";
import { csvLine } from "../csv";
import { RelayError } from "../errors";
import { formatPoints } from "../points";
import type { QueryDeps } from "./query-deps";
import { statementBetween } from "./spend";
import { countedUnits } from "./statement-units";

const LINES_MAX = 20_000;

type Deps = Pick<QueryDeps, "pool">;
type Range = z.output<typeof statementQuery> & { readonly accountId: string };

const readStatement = ({ pool }: Deps, { accountId, ...range }: Range) =>
  statementBetween(pool, accountId, { ...range, linesMax: LINES_MAX });

export async function showStatement(deps: Deps, range: Range) {
  const [statement, units] = await Promise.all([
    readStatement(deps, range),
    countedUnits(deps.pool, range.accountId, range),
  ]);
  const { opening, credits, takenBack, charges, closing, lines } = statement;
  return {
    opening: formatPoints(opening),
    credits: formatPoints(credits),
    takenBack: formatPoints(takenBack),
    charges: formatPoints(charges),
    closing: formatPoints(closing),
    lineCount: lines.length,
    units,
  };
}

/**
 * A statement as CSV: the opening balance, every credit, the charges of each day, model and key,
 * what they count by model and unit, and the closing balance, each with the balance after it. Rejects with `range_too_large` instead
 * of leaving lines out.
 */
export async function statementCsv(deps: Deps, range: Range): Promise<AsyncGenerator<string>> {
  const { opening, closing, lines, isCut } = await readStatement(deps, range);
  const units = (await countedUnits(deps.pool, range.accountId, range)) ?? [];
  if (isCut) throw new RelayError("range_too_large");
  async function* records() {
    yield csvLine([
      "day_utc",
      "kind",
      "model",
      "key",
      "requests",
      "reason",
      "unit",
      "quantity",
      "points",
      "balance_points",
    ]);
    const empty = [null, null, null, null, null, null, null];
    yield csvLine([range.from, "opening", ...empty, formatPoints(opening)]);
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
        null,
        null,
        formatPoints(amount),
        formatPoints(balance),
      ]);
    }
    const last = formatPoints(closing);
    for (const { model, unit, quantity } of units)
      yield csvLine([range.to, "counted", model, null, null, null, unit, quantity, null, last]);
    yield csvLine([range.to, "closing", ...empty, last]);
  }
  return records();
}
