import type { z } from "zod";
import { verifyActionChain } from "../accounts/action-chain";
import { type LoggedAction, readActions } from "../accounts/read-actions";
import type { ActionView, actionsCsvQuery, actionsQuery } from "../contract/operator-actions";
import { csvLine } from "../csv";
import { SiteFile } from "../http/site-file";
import type { Call } from "../site/call";

const PAGE = 50;
const CSV_PAGE = 500;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function viewOf({ at, detail: { before, after, ...detail }, ...row }: LoggedAction): ActionView {
  return { ...row, at: at.toISOString(), detail, before: isObject(before) ? before : null, after: isObject(after) ? after : null };
}

export async function listActions({ parts, query }: Call<unknown, z.output<typeof actionsQuery>>) {
  const { actions, nextCursor } = await readActions(parts.pool, query, { cursor: query.cursor, limit: PAGE });
  return { actions: actions.map(viewOf), nextCursor };
}

const head = ["seq", "time", "actor", "actor_email", "action", "subject", "subject_email", "detail", "before", "after", "hash"];

function csvRecord(row: LoggedAction): string {
  const { seq, at, actor, actorEmail, action, subject, subjectEmail, detail, before, after, hash } = viewOf(row);
  const text = (value: Record<string, unknown> | null) => (value === null ? null : JSON.stringify(value));
  return csvLine([seq, at, actor, actorEmail, action, subject, subjectEmail, text(detail), text(before), text(after), hash]);
}

/** All rows of the filter, newest first, with their hashes. */
export function downloadActions({ parts, query }: Call<unknown, z.output<typeof actionsCsvQuery>>) {
  async function* lines() {
    yield csvLine(head);
    let cursor: string | null = null;
    do {
      const page = await readActions(parts.pool, query, { cursor: cursor ?? undefined, limit: CSV_PAGE });
      yield page.actions.map(csvRecord).join("");
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  return Promise.resolve(new SiteFile(`relay-actions-${new Date().toISOString().slice(0, 10)}.csv`, lines()));
}

/** Reads the whole log against its hashes. */
export async function checkChain({ parts }: Call) {
  return { ...(await verifyActionChain(parts.pool)), checkedAt: new Date().toISOString() };
}
