import type { z } from "zod";
import type { entriesQuery, entry } from "../contract/entries";
import { formatPoints } from "../money/points";
import { type HistoryLine, history } from "./history";
import type { QueryDeps } from "./query-deps";
import { settingsView } from "./result-settings";

export function entryView({
  id,
  kind,
  at,
  amount,
  reason,
  request,
}: HistoryLine): z.input<typeof entry> {
  return {
    id,
    kind,
    at: at.toISOString(),
    amount: formatPoints(amount),
    reason,
    request: request && {
      ...request,
      quoted: formatPoints(request.quoted),
      held: formatPoints(request.held),
      settled: request.settled === null ? null : formatPoints(request.settled),
      endedAt: request.endedAt?.toISOString() ?? null,
      tags: Object.entries(request.tags ?? {}).map(([name, value]) => ({ name, value })),
      made: request.made && settingsView(request.made),
    },
  };
}

/** A page of the account's history, newest first. */
export async function listEntries(
  { pool }: Pick<QueryDeps, "pool">,
  { accountId, ...page }: z.output<typeof entriesQuery> & { accountId: string },
) {
  const { lines, nextCursor, archived } = await history(pool, accountId, page);
  return { entries: lines.map(entryView), nextCursor, archived };
}
