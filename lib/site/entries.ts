import type { z } from "zod";
import type { entriesQuery, entry } from "../contract/entries";
import { type HistoryLine, history } from "../ledger/history";
import { formatPoints } from "../points";
import type { Call } from "./call";

export function entryView({ id, kind, at, amount, reason, request }: HistoryLine): z.input<typeof entry> {
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
    },
  };
}

/** One page of the account's history, newest first. */
export async function listEntries({ parts, query, user }: Call<unknown, z.output<typeof entriesQuery>>) {
  const { lines, nextCursor } = await history(parts.pool, user().accountId, query);
  return { entries: lines.map(entryView), nextCursor };
}
