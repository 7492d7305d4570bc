/**
 * Reads of the ledger for pages and the command line. Every query uses an index and ends in 2 s.
 */

import type { EntryView } from "../contract/entries";
import type { CreditKind } from "../contract/states";
import { type HistoryKind, type HoldOutcome, isTakingKind } from "../contract/states";
import type { Tags } from "../contract/tags";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { droppedMonthsOf } from "../ledger/archive/dropped-months";
import type { Micropoints } from "../money/points";
import { type SettingsRow, settingsOfRequest } from "./result-settings";
import type { Stored } from "./stored";

const ENTRIES_PER_PAGE_MAX = 100;

type RequestLine = Omit<
  Stored<NonNullable<EntryView["request"]>, "quoted" | "held" | "settled", "endedAt">,
  "tags" | "made"
> & {
  readonly tags: Tags | null;
  /** What a video or an image was; null for text. */
  readonly made: SettingsRow | null;
};

export type HistoryLine = Omit<Stored<EntryView, "amount", "at">, "request"> & {
  readonly request: RequestLine | null;
};

/** The position of a reader in each of the two streams; null before the first row. */
interface Cursor {
  readonly request: readonly [at: string, id: string] | null;
  readonly entry: string | null;
}

const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === "string" && pattern.test(value);

export function readCursor(text: string | undefined): Cursor {
  if (text === undefined) return { request: null, entry: null };
  try {
    const [at, id, entry]: unknown[] = JSON.parse(Buffer.from(text, "base64url").toString());
    const isRequest =
      isText(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) && isText(id, /^[0-9a-f-]{36}$/);
    if ((!isRequest && at !== null) || (entry !== null && !isText(entry, /^\d{1,18}$/)))
      throw new Error("not a cursor of ours");
    return { request: isRequest ? [at, id] : null, entry };
  } catch (cause) {
    throw new RelayError("invalid_value", {
      param: "cursor",
      message: "The cursor is invalid. Send one from a previous answer.",
      cause,
    });
  }
}

export const writeCursor = ({ request, entry }: Cursor): string =>
  Buffer.from(JSON.stringify([request?.[0] ?? null, request?.[1] ?? null, entry])).toString(
    "base64url",
  );

const exactTime = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export interface RequestRow {
  id: string;
  created_at: Date;
  exact: string;
  request_id: string;
  source: RequestLine["source"];
  key_name: string | null;
  model: string;
  family: RequestLine["family"];
  dialect: RequestLine["dialect"];
  quote_amount: string;
  hold_amount: string;
  outcome: HoldOutcome | null;
  amount: string | null;
  reason: string | null;
  input_tokens: string | null;
  output_tokens: string | null;
  ended_at: Date | null;
  duration_ms: number | null;
  tags: Tags | null;
  made: SettingsRow | null;
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

export const requestLine = (row: RequestRow): HistoryLine => ({
  id: row.id,
  kind: "request",
  at: row.created_at,
  amount: -BigInt(row.amount ?? 0),
  reason: row.reason,
  request: {
    requestId: row.request_id,
    source: row.source,
    keyName: row.key_name,
    model: row.model,
    family: row.family,
    dialect: row.dialect,
    state: row.outcome ?? "held",
    quoted: BigInt(row.quote_amount),
    held: BigInt(row.hold_amount),
    settled: row.outcome === "settled" ? BigInt(row.amount ?? 0) : null,
    inputTokens: numberOrNull(row.input_tokens),
    outputTokens: numberOrNull(row.output_tokens),
    endedAt: row.ended_at,
    durationMs: row.duration_ms,
    tags: row.tags,
    made: row.made,
  },
});

/**
 * The columns of a `RequestRow`. Their tables: `r`, the request, open or ended; `k`, its key. `at`
 * is the column of its time.
 */
export const requestColumns = (at = "r.created_at"): string =>
  `r.id, ${at}, ${exactTime(at)} as exact, r.request_id, r.source, k.name as key_name, r.model, r.family, r.dialect, r.quote_amount, r.hold_amount,
   r.outcome, r.amount, r.reason, r.input_tokens, r.output_tokens, r.ended_at, r.duration_ms, r.tags, ${settingsOfRequest}`;

/** The tables of these columns. A page by account and time, or by id, reads no more than its rows. */
export const knownRequests = "request_known r left join api_key k on k.id = r.api_key_id";

async function requestRows(
  pool: Reader,
  accountId: string,
  after: Cursor["request"],
  limit: number,
): Promise<RequestRow[]> {
  const { rows } = await pool.query<RequestRow>(
    `select ${requestColumns()}
       from ${knownRequests}
      where r.account_id = $1 ${after ? "and (r.created_at, r.id) < ($3::timestamptz, $4::uuid)" : ""}
      order by r.created_at desc, r.id desc limit $2`,
    [accountId, limit, ...(after ?? [])],
  );
  return rows;
}

interface EntryRow {
  id: string;
  kind: CreditKind;
  amount: string;
  reason: string;
  created_at: Date;
}

async function entryRows(
  pool: Reader,
  accountId: string,
  after: Cursor["entry"],
  limit: number,
): Promise<EntryRow[]> {
  const { rows } = await pool.query<EntryRow>(
    `select id, kind, amount, reason, created_at from ledger_entry where account_id = $1 ${after ? "and id < $3" : ""} order by id desc limit $2`,
    [accountId, limit, ...(after ? [after] : [])],
  );
  return rows;
}

function entryLine({ id, kind, amount, reason, created_at }: EntryRow): HistoryLine {
  return {
    id,
    kind,
    at: created_at,
    amount: isTakingKind(kind) ? -BigInt(amount) : BigInt(amount),
    reason,
    request: null,
  };
}

export interface HistoryPage {
  readonly lines: HistoryLine[];
  /** The months whose requests would be on the page, or after the last one, but are archived. */
  readonly archived: string[];
  readonly nextCursor: string | null;
}

/**
 * A page of requests and credits, newest first, at most 100. Throws `invalid_value` for a cursor
 * that is not ours.
 */
export async function history(
  pool: Reader,
  accountId: string,
  query: { cursor?: string | undefined; kind?: HistoryKind; limit?: number } = {},
): Promise<HistoryPage> {
  const cursor = readCursor(query.cursor);
  const kind = query.kind ?? "all";
  const limit = Math.max(1, Math.min(query.limit ?? 50, ENTRIES_PER_PAGE_MAX));
  const [requests, entries] = await Promise.all([
    kind === "credits" ? [] : requestRows(pool, accountId, cursor.request, limit + 1),
    kind === "requests" ? [] : entryRows(pool, accountId, cursor.entry, limit + 1),
  ]);
  const lines: HistoryLine[] = [];
  let [requestAt, entryAt] = [0, 0];
  while (lines.length < limit && (requestAt < requests.length || entryAt < entries.length)) {
    const request = requests[requestAt];
    const entry = entries[entryAt];
    if (request && (!entry || request.created_at >= entry.created_at)) {
      lines.push(requestLine(request));
      requestAt++;
    } else if (entry) {
      lines.push(entryLine(entry));
      entryAt++;
    }
  }
  const lastRequest = requests[requestAt - 1];
  const before = cursor.request?.[0] ?? null;
  const after = requestAt < requests.length ? (lastRequest?.exact ?? before ?? "infinity") : null;
  const archived =
    kind === "credits" ? [] : await droppedMonthsOf(pool, accountId, { after, before });
  const hasMore = requestAt < requests.length || entryAt < entries.length;
  const next = {
    request: lastRequest ? ([lastRequest.exact, lastRequest.id] as const) : cursor.request,
    entry: entries[entryAt - 1]?.id ?? cursor.entry,
  };
  return { lines, archived, nextCursor: hasMore ? writeCursor(next) : null };
}

export interface UsageRecord {
  readonly requestId: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly amount: Micropoints;
  readonly createdAt: Date;
}

/** A page of an account's charged requests made in [`from`, `to`), newest first, at most 100. */
export async function usageRecords(
  pool: Reader,
  accountId: string,
  range: { from: Date; to: Date; cursor?: string | undefined },
): Promise<{ records: UsageRecord[]; nextCursor: string | null }> {
  const after = readCursor(range.cursor).request;
  const { rows } = await pool.query<RequestRow>(
    `select id, ${exactTime("created_at")} as exact, request_id, model, input_tokens, output_tokens, amount, created_at from request
      where account_id = $1 and created_at >= $2 and created_at < $3 and outcome = 'settled' ${after ? "and (created_at, id) < ($5::timestamptz, $6::uuid)" : ""}
      order by created_at desc, id desc limit $4`,
    [accountId, range.from, range.to, ENTRIES_PER_PAGE_MAX + 1, ...(after ?? [])],
  );
  const page = rows.slice(0, ENTRIES_PER_PAGE_MAX);
  const last = page.at(-1);
  return {
    records: page.map((row) => ({
      requestId: row.request_id,
      model: row.model,
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      amount: BigInt(row.amount ?? 0),
      createdAt: row.created_at,
    })),
    nextCursor:
      rows.length > page.length && last
        ? writeCursor({ request: [last.exact, last.id], entry: null })
        : null,
  };
}
