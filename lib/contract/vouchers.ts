/** Requests to `/api/vouchers/redeem` and their answers. */

import { z } from "zod";
import { VOUCHER_CODE_LENGTH_MAX } from "./limits";
import { byUser, type PageEndpoints, post } from "./page-endpoint";
import { points } from "./points";

const redeemVoucherRequest = z.strictObject({
  code: z.string().trim().min(4).max(VOUCHER_CODE_LENGTH_MAX),
});
const redeemVoucherResponse = z.object({
  points,
  balance: z.object({ available: points, held: points }),
});

export const voucherEndpoints = {
  redeemVoucher: {
    ...post("/api/vouchers/redeem", byUser("topUp", "points:write")),
    command: "voucher redeem",
    body: redeemVoucherRequest,
    answer: redeemVoucherResponse,
  },
} as const satisfies PageEndpoints;
