/**
 * Batches of vouchers, for operators. Their codes are not stored: a voucher is identified by its
 * id.
 */

import type { VoucherState } from "../contract/states";
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";
import { noSuchBatch } from "../topup/voucher-code";
import { ownerEmail } from "./owner-email";

export interface BatchLine {
  readonly id: string;
  readonly name: string;
  readonly points: Micropoints;
  readonly count: number;
  readonly redeemed: number;
  readonly cancelled: number;
  /** Vouchers that are neither redeemed nor cancelled nor expired. */
  readonly left: number;
  /** Of a plan: its name, and the periods of each voucher. */
  readonly plan: string | null;
  readonly planPeriods: number | null;
  readonly expiresAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly cancelledAt: Date | null;
}

interface BatchRow {
  id: string;
  name: string;
  points: string;
  count: number;
  redeemed: number;
  cancelled: number;
  left: number;
  expires_at: Date | null;
  created_by: string;
  created_at: Date;
  cancelled_at: Date | null;
  plan: string | null;
  planPeriods: number | null;
}

const PAGE = 20;

/** A page of 20 batches, newest first. */
export async function listBatches(
  pool: Reader,
  page: { cursor?: string | undefined },
): Promise<{ batches: BatchLine[]; nextCursor: string | null }> {
  const { rows } = await pool.query<BatchRow>(
    `select b.id, b.name, b.points, b.count, b.expires_at, b.created_by, b.created_at, b.cancelled_at, b.plan_periods as "planPeriods",
            (select p.name from plan p where p.id = b.plan_id) as plan, v.redeemed, v.cancelled, v.left
       from (select * from voucher_batch where $1::text is null or id < $1 order by id desc limit ${PAGE + 1}) b,
            lateral (select count(redeemed_at)::int as redeemed, count(cancelled_at)::int as cancelled,
                       count(*) filter (where redeemed_at is null and cancelled_at is null and coalesce(expires_at > now(), true))::int as left
                       from voucher where batch_id = b.id) v
      order by b.id desc`,
    [page.cursor ?? null],
  );
  const batches = rows
    .slice(0, PAGE)
    .map(({ expires_at, created_by, created_at, cancelled_at, points, ...row }) => ({
      ...row,
      points: BigInt(points),
      expiresAt: expires_at,
      createdBy: created_by,
      createdAt: created_at,
      cancelledAt: cancelled_at,
    }));
  return { batches, nextCursor: rows.length > PAGE ? (batches.at(-1)?.id ?? null) : null };
}

export interface VoucherLine {
  readonly id: string;
  readonly state: VoucherState;
  readonly redeemedAt: Date | null;
  readonly accountId: string | null;
  /** The email of the account's first user. */
  readonly email: string | null;
}

const VOUCHERS_PER_PAGE_MAX = 100;

/** The vouchers of a batch, the one redeemed last first. Rejects with `not_found`. */
export async function listVouchers(
  pool: Reader,
  page: { batchId: string; offset?: number | undefined },
): Promise<{ vouchers: VoucherLine[]; nextOffset: number | null }> {
  const offset = page.offset ?? 0;
  const { rows } = await pool.query<{
    id: string;
    state: VoucherLine["state"];
    redeemed_at: Date | null;
    account: string | null;
    email: string | null;
  }>(
    `select v.id, v.redeemed_at, v.redeemed_account_id as account,
            ${ownerEmail("v.redeemed_account_id")} as email,
            case when v.redeemed_at is not null then 'redeemed' when v.cancelled_at is not null then 'cancelled'
                 when v.expires_at <= now() then 'expired' else 'open' end as state
       from voucher v where v.batch_id = $1 order by v.redeemed_at desc nulls last, v.id limit $2 offset $3`,
    [page.batchId, VOUCHERS_PER_PAGE_MAX + 1, offset],
  );
  if (rows.length === 0 && offset === 0) throw noSuchBatch(page.batchId);
  const vouchers = rows
    .slice(0, VOUCHERS_PER_PAGE_MAX)
    .map(({ id, state, redeemed_at, account, email }) => ({
      id,
      state,
      redeemedAt: redeemed_at,
      accountId: account,
      email,
    }));
  return {
    vouchers,
    nextOffset: rows.length > VOUCHERS_PER_PAGE_MAX ? offset + VOUCHERS_PER_PAGE_MAX : null,
  };
}
