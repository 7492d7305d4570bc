import type { z } from "zod";
import type { statementQuery } from "../contract/usage";
import { csvLine, csvLines } from "../csv";
import { formatPoints } from "../points";
import type { QueryDeps } from "./query-deps";
import { statementLines } from "./statement-lines";
import { statementSums } from "./statement-sums";

type Deps = Pick<QueryDeps, "pool">;
type Range = z.output<typeof statementQuery> & { readonly accountId: string };

export async function showStatement({ pool }: Deps, { accountId, ...days }: Range) {
  const { lineCount, ...sums } = await statementSums(pool, accountId, days);
  return {
    opening: formatPoints(sums.opening),
    credits: formatPoints(sums.credits),
    takenBack: formatPoints(sums.takenBack),
    charges: formatPoints(sums.charges),
    closing: formatPoints(sums.closing),
    lineCount,
  };
}

const head = ["day_utc", "kind", "model", "key", "requests", "reason", "points", "balance_points"];

/**
 * A statement as CSV: the opening balance, every credit, the charges of each day, model and key,
 * and the closing balance, each with the balance after it. It is as long as the range needs.
 */
export async function statementCsv(
  { pool }: Deps,
  { accountId, ...days }: Range,
): Promise<AsyncGenerator<string>> {
  const { opening } = await statementSums(pool, accountId, days);
  async function* records() {
    // Today's charges may grow meanwhile: the closing balance is that of the lines.
    let balance = opening;
    const ends = (day: string, kind: string) =>
      csvLine([day, kind, null, null, null, null, null, formatPoints(balance)]);
    yield csvLine(head) + ends(days.from, "opening");
    for await (const lines of statementLines(pool, accountId, days))
      yield csvLines(
        lines.map(({ day, kind, model, keyName, requests, reason, amount }) => {
          balance += amount;
          const [points, after] = [formatPoints(amount), formatPoints(balance)];
          return [day, kind, model, keyName, requests, reason, points, after];
        }),
      );
    yield ends(days.to, "closing");
  }
  return records();
}
