/** One request of an account, with everything that its charge is computed from. Read-only. */

import { isOperationId } from "../crypto/ids";
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";
import { readPrice, type StoredPrice } from "../price-book/stored-price";
import type { Price } from "../pricing/price";
import { type Quantities, type TokenUsage, usageOf } from "../pricing/usage";
import { asArchived } from "./archived";
import {
  type HistoryLine,
  knownRequests,
  type RequestRow,
  requestColumns,
  requestLine,
} from "./history";
import { makerEmail } from "./member-spend";

export interface RequestDetail {
  readonly line: HistoryLine;
  readonly apiKeyId: string | null;
  readonly keyHint: string | null;
  /** The address of the member who made the key, or ordered in the playground. */
  readonly maker: string | null;
  readonly multiplierPpm: number;
  /** Fixed when the points were held. */
  readonly price: Price;
  /** What is charged; null while the request runs, and after a release. */
  readonly usage: TokenUsage | null;
  readonly isStream: boolean | null;
  readonly isAbandoned: boolean | null;
  readonly firstByteMs: number | null;
  /** Of a video or an image; null for text. */
  readonly stages: Readonly<Record<"submitted" | "running" | "stored", Date | null>> | null;
  /** The refunded part of the charge. */
  readonly refunded: Micropoints;
}

interface DetailRow extends RequestRow, StoredPrice {
  quantities: Quantities | null;
  api_key_id: string | null;
  key_hint: string | null;
  maker: string | null;
  multiplier_ppm: number;
  is_stream: boolean | null;
  is_abandoned: boolean | null;
  first_byte_ms: number | null;
  submitted_at: Date | null;
  running_at: Date | null;
  stored_at: Date | null;
  refunded: string;
}

/** The operation for the request id in an answer, made at about `at`; null when there is none. */
export async function operationOfRequest(
  pool: Reader,
  accountId: string,
  requestId: string,
  at: Date,
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from request_known where account_id = $1 and created_at between $3::timestamptz - interval '1 minute' and $3::timestamptz + interval '15 minutes'
        and request_id = $2 order by created_at desc limit 1`,
    [accountId, requestId, at],
  );
  return rows[0]?.id ?? null;
}

function usageOfLine({ request }: HistoryLine, quantities: Quantities | null): TokenUsage | null {
  if (request?.state !== "settled") return null;
  const { inputTokens, outputTokens } = request;
  return usageOf({ inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 }, quantities);
}

/** The stages of a task; an image that was waited for has only the last one. */
const stagesOf = `(
  select t.submitted_at, t.running_at, m.stored_at
    from video_task t left join media m on m.id = t.media_id where t.operation_id = r.id
  union all
  select null, null, m.stored_at
    from image_result t join media m on m.id = t.media_id where t.operation_id = r.id limit 1)`;

const detailQuery = (tables: string) =>
  `select ${requestColumns()}, r.api_key_id, k.hint as key_hint, ${makerEmail} as maker, r.multiplier_ppm, p.input_price, p.output_price, p.other_rates, r.usage -> 'quantities' as quantities, r.is_stream, r.is_abandoned, r.first_byte_ms,
            s.submitted_at, s.running_at, s.stored_at,
            (select coalesce(sum(e.amount), 0)::bigint from ledger_entry e where e.operation_id = r.id) as refunded
       from ${tables} join price_version p on p.id = r.price_version_id left join lateral ${stagesOf} s on true where r.account_id = $1`;

/** One request of the account by its operation's id; null when the account has no such request. */
export async function requestDetail(
  pool: Reader,
  accountId: string,
  operationId: string,
): Promise<RequestDetail | null> {
  if (!isOperationId(operationId)) return null;
  const { rows } = await pool.query<DetailRow>(`${detailQuery(knownRequests)} and r.id = $2`, [
    accountId,
    operationId,
  ]);
  return rows[0] === undefined ? null : detailOf(rows[0]);
}

/** The same of a request as its archived file has it. */
export async function archivedDetail(
  pool: Reader,
  accountId: string,
  line: string,
): Promise<RequestDetail | null> {
  const { rows } = await pool.query<DetailRow>(detailQuery(asArchived(knownRequests, 2)), [
    accountId,
    line,
  ]);
  return rows[0] === undefined ? null : detailOf(rows[0]);
}

function detailOf(row: DetailRow): RequestDetail {
  const line = requestLine(row);
  return {
    line,
    apiKeyId: row.api_key_id,
    keyHint: row.key_hint,
    maker: row.maker,
    multiplierPpm: row.multiplier_ppm,
    price: readPrice(row),
    usage: usageOfLine(line, row.quantities),
    isStream: row.is_stream,
    isAbandoned: row.is_abandoned,
    firstByteMs: row.first_byte_ms,
    stages:
      row.family === "text"
        ? null
        : { submitted: row.submitted_at, running: row.running_at, stored: row.stored_at },
    refunded: BigInt(row.refunded),
  };
}
