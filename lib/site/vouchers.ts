import type { z } from "zod";
import type { redeemVoucherRequest } from "../contract/vouchers";
import { formatPoints } from "../points";
import { redeemVoucher } from "../topup/vouchers";
import type { Call } from "./call";

export async function redeemOwnVoucher({ parts, body, user }: Call<z.output<typeof redeemVoucherRequest>>) {
  const { accountId } = user();
  const points = await redeemVoucher(parts.pool, parts.ledger, { accountId, code: body.code });
  const { available, held } = await parts.ledger.balance(accountId);
  return { points: formatPoints(points), balance: { available: formatPoints(available), held: formatPoints(held) } };
}
