import type { z } from "zod";
import { HOLD_DAYS_MAX } from "../contract/limits";
import type { statementQuery } from "../contract/usage";
import { droppedMonths } from "../ledger/archive/dropped-months";
import { formatPoints } from "../money/points";
import { csvLine, csvLines } from "../values/csv";
import type { QueryDeps } from "./query-deps";
import { statementLines } from "./statement-lines";
import { openingBalance, type StatementDays, statementSums } from "./statement-sums";
import { countedUnits } from "./statement-units";

type Deps = Pick<QueryDeps, "pool">;
type Range = z.output<typeof statementQuery> & { readonly accountId: string };

const DAY_MS = 86_400_000;

/** The archived months with requests that may have ended on these days (UTC). */
function archivedFor(pool: Deps["pool"], { from, to }: StatementDays): Promise<string[]> {
  const first = new Date(Date.parse(from) - HOLD_DAYS_MAX * DAY_MS).toISOString().slice(0, 10);
  return droppedMonths(pool, { from: first, to, zone: "UTC" });
}

export async function showStatement({ pool }: Deps, { accountId, ...days }: Range) {
  const [{ lineCount, ...sums }, archived] = await Promise.all([
    statementSums(pool, accountId, days),
    archivedFor(pool, days),
  ]);
  const units = archived.length > 0 ? null : await countedUnits(pool, accountId, days);
  return {
    opening: formatPoints(sums.opening),
    credits: formatPoints(sums.credits),
    takenBack: formatPoints(sums.takenBack),
    charges: formatPoints(sums.charges),
    closing: formatPoints(sums.closing),
    lineCount,
    units,
    archived,
  };
}

const head = [
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
];

const archivedText = (month: string) => [
  null,
  null,
  null,
  `The requests of ${month} are archived: what was counted is not listed by unit. All points are.`,
  null,
  null,
  null,
];

/**
 * A statement as CSV: the opening balance, every credit, the charges of each day, model and key,
 * what they count by model and unit, and the closing balance, each with the balance after it. It is
 * as long as the range needs.
 */
export async function statementCsv(
  { pool }: Deps,
  { accountId, ...days }: Range,
): Promise<AsyncGenerator<string>> {
  const opening = await openingBalance(pool, accountId, days.from);
  async function* records() {
    // Today's charges may grow meanwhile: the closing balance is that of the lines.
    let balance = opening;
    const empty = [null, null, null, null, null, null, null];
    const ends = (day: string, kind: string) =>
      csvLine([day, kind, ...empty, formatPoints(balance)]);
    yield csvLine(head) + ends(days.from, "opening");
    for await (const lines of statementLines(pool, accountId, days))
      yield csvLines(
        lines.map(({ day, kind, model, keyName, requests, reason, amount }) => {
          balance += amount;
          const [points, after] = [formatPoints(amount), formatPoints(balance)];
          return [day, kind, model, keyName, requests, reason, null, null, points, after];
        }),
      );
    const after = formatPoints(balance);
    const archived = await archivedFor(pool, days);
    yield csvLines(archived.map((month) => [days.to, "archived", ...archivedText(month), after]));
    const units = archived.length > 0 ? [] : await countedUnits(pool, accountId, days);
    yield csvLines(
      (units ?? []).map(({ model, unit, quality, quantity }) => {
        const counted = quality === undefined ? unit : `${unit} quality=${quality}`;
        return [days.to, "counted", model, null, null, null, counted, quantity, null, after];
      }),
    );
    yield ends(days.to, "closing");
  }
  return records();
}
