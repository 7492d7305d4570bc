/** Requests to `/api/vouchers/redeem` and their answers. */
import { z } from "zod";
import { VOUCHER_CODE_LENGTH_MAX } from "./limits";
import { points } from "./points";

export const redeemVoucherRequest = z.strictObject({ code: z.string().trim().min(4).max(VOUCHER_CODE_LENGTH_MAX) });
export const redeemVoucherResponse = z.object({ points, balance: z.object({ available: points, held: points }) });
