import type { z } from "zod";
import type { statementQuery } from "../contract/usage";
import { csvLine } from "../csv";
import { RelayError } from "../errors";
import { SiteFile } from "../http/site-file";
import { statementBetween } from "../ledger/spend";
import { formatPoints } from "../points";
import type { Call } from "./call";

const LINES_MAX = 20_000;

type Query = z.output<typeof statementQuery>;

const readStatement = ({ parts, query, user }: Call<unknown, Query>) =>
  statementBetween(parts.pool, user().accountId, { ...query, linesMax: LINES_MAX });

export async function showStatement(call: Call<unknown, Query>) {
  const { opening, credits, takenBack, charges, closing, lines } = await readStatement(call);
  return {
    opening: formatPoints(opening),
    credits: formatPoints(credits),
    takenBack: formatPoints(takenBack),
    charges: formatPoints(charges),
    closing: formatPoints(closing),
    lineCount: lines.length,
  };
}

/** Opening, every credit, the charges of each day, model and key, closing, each with the balance after it. */
export async function downloadStatement(call: Call<unknown, Query>) {
  const { from, to } = call.query;
  const { opening, closing, lines, isCut } = await readStatement(call);
  if (isCut) throw new RelayError("range_too_large");
  async function* records() {
    yield csvLine(["day_utc", "kind", "model", "key", "requests", "reason", "points", "balance_points"]);
    yield csvLine([from, "opening", null, null, null, null, null, formatPoints(opening)]);
    let balance = opening;
    for (const { day, kind, model, keyName, requests, reason, amount } of lines) {
      balance += amount;
      yield csvLine([day, kind, model, keyName, requests, reason, formatPoints(amount), formatPoints(balance)]);
    }
    yield csvLine([to, "closing", null, null, null, null, null, formatPoints(closing)]);
  }
  return new SiteFile(`relay-statement-${from}-${to}.csv`, records());
}
