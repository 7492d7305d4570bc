/**
 * Batches of vouchers, for operators. Their codes are not stored: a voucher is identified by its
 * id.
 */

import type { BatchView, VoucherView } from "../contract/operator-topup";
import type { Reader } from "../db/pool";
import { noSuchBatch } from "../topup/voucher-code";
import { ownerEmail } from "./owner-email";
import type { Stored } from "./stored";

type BatchLine = Stored<BatchView, "points", "expiresAt" | "createdAt" | "cancelledAt">;

const PAGE = 20;

/** A page of 20 batches, newest first. */
export async function listBatches(
  pool: Reader,
  page: { cursor?: string | undefined },
): Promise<{ batches: BatchLine[]; nextCursor: string | null }> {
  const { rows } = await pool.query<Omit<BatchLine, "points"> & { points: string }>(
    `select b.id, b.name, b.points, b.count, b.expires_at as "expiresAt", b.created_by as "createdBy", b.created_at as "createdAt",
            b.cancelled_at as "cancelledAt", b.plan_periods as "planPeriods",
            (select p.name from plan p where p.id = b.plan_id) as plan, v.redeemed, v.cancelled, v.left
       from (select * from voucher_batch where $1::text is null or id < $1 order by id desc limit ${PAGE + 1}) b,
            lateral (select count(redeemed_at)::int as redeemed, count(cancelled_at)::int as cancelled,
                       count(*) filter (where redeemed_at is null and cancelled_at is null and coalesce(expires_at > now(), true))::int as left
                       from voucher where batch_id = b.id) v
      order by b.id desc`,
    [page.cursor ?? null],
  );
  const batches = rows.slice(0, PAGE).map((row) => ({ ...row, points: BigInt(row.points) }));
  return { batches, nextCursor: rows.length > PAGE ? (batches.at(-1)?.id ?? null) : null };
}

type VoucherLine = Stored<VoucherView, never, "redeemedAt">;

const VOUCHERS_PER_PAGE_MAX = 100;

/** The vouchers of a batch, the one redeemed last first. Rejects with `not_found`. */
export async function listVouchers(
  pool: Reader,
  page: { batchId: string; offset?: number | undefined },
): Promise<{ vouchers: VoucherLine[]; nextOffset: number | null }> {
  const offset = page.offset ?? 0;
  const { rows } = await pool.query<VoucherLine>(
    `select v.id, v.redeemed_at as "redeemedAt", v.redeemed_account_id as "accountId",
            ${ownerEmail("v.redeemed_account_id")} as email,
            case when v.redeemed_at is not null then 'redeemed' when v.cancelled_at is not null then 'cancelled'
                 when v.expires_at <= now() then 'expired' else 'open' end as state
       from voucher v where v.batch_id = $1 order by v.redeemed_at desc nulls last, v.id limit $2 offset $3`,
    [page.batchId, VOUCHERS_PER_PAGE_MAX + 1, offset],
  );
  if (rows.length === 0 && offset === 0) throw noSuchBatch(page.batchId);
  return {
    vouchers: rows.slice(0, VOUCHERS_PER_PAGE_MAX),
    nextOffset: rows.length > VOUCHERS_PER_PAGE_MAX ? offset + VOUCHERS_PER_PAGE_MAX : null,
  };
}
