import type { z } from "zod";
import { verifyActionChain } from "../accounts/action-chain";
import type { ActionView, actionsCsvQuery, actionsQuery } from "../contract/operator-actions";
import { csvLine } from "../values/csv";
import { isRecord } from "../values/records";
import type { QueryDeps } from "./query-deps";
import { type LoggedAction, readActions } from "./read-actions";

type Deps = Pick<QueryDeps, "pool">;

const PAGE = 50;
const CSV_PAGE = 500;

/** A side of a change as fields. A setting and the state of a channel or a model are one value without a name. */
function sideOf(action: string, side: unknown): Record<string, unknown> | null {
  if (side === undefined || side === null) return null;
  if (isRecord(side)) return side;
  return /^(channel|model)\./.test(action) ? { state: side } : { value: side };
}

function viewOf({ at, detail: { before, after, ...detail }, ...row }: LoggedAction): ActionView {
  return {
    ...row,
    at: at.toISOString(),
    detail,
    before: sideOf(row.action, before),
    after: sideOf(row.action, after),
  };
}

/** The audit log, newest first. */
export async function listActions({ pool }: Deps, query: z.output<typeof actionsQuery>) {
  const { actions, nextCursor } = await readActions(pool, query, {
    cursor: query.cursor,
    limit: PAGE,
  });
  return { actions: actions.map(viewOf), nextCursor };
}

const head = [
  "seq",
  "time",
  "actor",
  "actor_email",
  "action",
  "subject",
  "subject_email",
  "detail",
  "before",
  "after",
  "hash",
];

function csvRecord(row: LoggedAction): string {
  const { seq, at, actor, actorEmail, action, subject, subjectEmail, detail, before, after, hash } =
    viewOf(row);
  const text = (value: Record<string, unknown> | null) =>
    value === null ? null : JSON.stringify(value);
  return csvLine([
    seq,
    at,
    actor,
    actorEmail,
    action,
    subject,
    subjectEmail,
    text(detail),
    text(before),
    text(after),
    hash,
  ]);
}

/** The actions that match a filter as CSV, newest first, with their hashes. */
export async function* actionsCsv(
  { pool }: Deps,
  query: z.output<typeof actionsCsvQuery>,
): AsyncGenerator<string> {
  yield csvLine(head);
  let cursor: string | null = null;
  do {
    const page = await readActions(pool, query, { cursor: cursor ?? undefined, limit: CSV_PAGE });
    yield page.actions.map(csvRecord).join("");
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Verifies the hashes of the whole log. */
export async function checkChain({ pool }: Deps) {
  return { ...(await verifyActionChain(pool)), checkedAt: new Date().toISOString() };
}
