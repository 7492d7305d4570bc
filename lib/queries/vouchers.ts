import type { z } from "zod";
import type { batchesQuery } from "../contract/operator-topup";
import { formatPoints } from "../money/points";
import { csvLine } from "../values/csv";
import type { QueryDeps } from "./query-deps";
import { listBatches, listVouchers } from "./voucher-batches";

type Deps = Pick<QueryDeps, "pool">;

const momentText = (at: Date | null) => at?.toISOString() ?? null;

export async function listVoucherBatches({ pool }: Deps, query: z.output<typeof batchesQuery>) {
  const { batches, nextCursor } = await listBatches(pool, query);
  return {
    batches: batches.map((batch) => ({
      ...batch,
      points: formatPoints(batch.points),
      expiresAt: momentText(batch.expiresAt),
      createdAt: batch.createdAt.toISOString(),
      cancelledAt: momentText(batch.cancelledAt),
    })),
    nextCursor,
  };
}

export async function listBatchVouchers(
  { pool }: Deps,
  { batchId, cursor }: { batchId: string; cursor?: string | undefined },
) {
  const { vouchers, nextOffset } = await listVouchers(pool, {
    batchId,
    offset: Number(cursor ?? 0),
  });
  return {
    vouchers: vouchers.map((voucher) => ({
      ...voucher,
      redeemedAt: momentText(voucher.redeemedAt),
    })),
    nextCursor: nextOffset === null ? null : String(nextOffset),
  };
}

/** The redemptions of a batch as CSV: who and when. The codes are not stored. */
export async function vouchersCsv(
  { pool }: Deps,
  { batchId }: { batchId: string },
): Promise<AsyncGenerator<string>> {
  const first = await listVouchers(pool, { batchId });
  async function* lines() {
    yield csvLine(["voucher", "state", "redeemed_at", "account", "email"]);
    for (
      let page = first;
      ;
      page = await listVouchers(pool, { batchId, offset: page.nextOffset ?? 0 })
    ) {
      for (const voucher of page.vouchers)
        yield csvLine([
          voucher.id,
          voucher.state,
          momentText(voucher.redeemedAt),
          voucher.accountId,
          voucher.email,
        ]);
      if (page.nextOffset === null) return;
    }
  }
  return lines();
}
