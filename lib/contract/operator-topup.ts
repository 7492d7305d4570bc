/**
 * Requests of the operators' pages to `/api/admin/vouchers`, `/packages` and `/payments`, and their
 * answers.
 */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import {
  CURSOR_LENGTH_MAX,
  ID_LENGTH_MAX,
  NAME_LENGTH_MAX,
  NOTE_LENGTH_MAX,
  PACKAGE_AMOUNT_MAX,
  PACKAGE_POSITION_MAX,
  PLAN_PERIODS_MAX,
  VOUCHERS_PER_BATCH_MAX,
} from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { payment } from "./payments";
import { points, pointsInput } from "./points";
import { shownName } from "./shown-text";
import { voucherStates } from "./states";

const name = shownName(NAME_LENGTH_MAX);

export const batchesQuery = z.object({ cursor: z.string().max(CURSOR_LENGTH_MAX).optional() });
const batch = z.object({
  id: answerText,
  name: answerText,
  points,
  /** Of a plan: its name, and the periods of each voucher. */
  plan: answerText.nullable(),
  planPeriods: z.number().int().nullable(),
  count: z.number().int(),
  redeemed: z.number().int(),
  cancelled: z.number().int(),
  /** Vouchers that are neither redeemed nor cancelled nor expired. */
  left: z.number().int(),
  expiresAt: moment.nullable(),
  createdBy: answerText,
  createdAt: moment,
  cancelledAt: moment.nullable(),
});
const batchesResponse = z.object({ batches: answerRows(batch), nextCursor: answerText.nullable() });
const createBatchRequest = z.strictObject({
  name,
  /** Of each voucher; absent or null for vouchers of a plan. */
  points: pointsInput.nullable().optional(),
  count: z.number().int().min(1).max(VOUCHERS_PER_BATCH_MAX),
  expiresAt: moment.nullable(),
  /** On which plan a voucher puts an account, and for how many periods. */
  plan: z
    .strictObject({
      id: z.string().min(1).max(ID_LENGTH_MAX),
      periods: z.number().int().min(1).max(PLAN_PERIODS_MAX),
    })
    .nullable()
    .optional(),
});
/** `codes` are in this answer only. */
const createBatchResponse = z.object({ batchId: answerText, codes: answerRows(answerText) });
const cancelBatchResponse = z.object({ cancelled: z.number().int() });

const vouchersQuery = z.object({
  cursor: z
    .string()
    .max(4)
    .regex(/^\d{1,4}$/)
    .optional(),
});
const voucher = z.object({
  id: answerText,
  state: z.enum(voucherStates),
  redeemedAt: moment.nullable(),
  accountId: answerText.nullable(),
  email: answerText.nullable(),
});
const vouchersResponse = z.object({
  vouchers: answerRows(voucher),
  nextCursor: answerText.nullable(),
});

const packageTerms = {
  name,
  note: shownName(NOTE_LENGTH_MAX).nullable(),
  points: pointsInput,
  /** In the smallest unit of the currency. */
  amount: z.number().int().min(1).max(PACKAGE_AMOUNT_MAX),
  currency: z
    .string()
    .max(3)
    .regex(/^[a-z]{3}$/, "it must be three lower-case letters, such as eur"),
  isEnabled: z.boolean(),
  position: z.number().int().min(-PACKAGE_POSITION_MAX).max(PACKAGE_POSITION_MAX),
};
const operatorPackage = z.object({
  id: answerText,
  ...packageTerms,
  note: answerText.nullable(),
  points,
});
const operatorPackagesResponse = z.object({
  isOffered: z.boolean(),
  packages: answerRows(operatorPackage),
});
const createPackageRequest = z.strictObject({
  ...packageTerms,
  note: packageTerms.note.default(null),
  isEnabled: packageTerms.isEnabled.default(true),
  position: packageTerms.position.default(0),
});
const changePackageRequest = z.strictObject(packageTerms).partial();
const packageResponse = z.object({ package: operatorPackage });

export const operatorPaymentsQuery = z.object({
  /** Of one account alone. */
  accountId: z.string().min(1).max(ID_LENGTH_MAX).optional(),
  cursor: z.string().max(CURSOR_LENGTH_MAX).optional(),
  attention: z.enum(["all", "open"]).default("all"),
});
const operatorPayment = payment.extend({
  accountId: answerText,
  email: answerText.nullable(),
  /** Points that could not be taken back. */
  lost: points,
  attention: answerText.nullable(),
});
const operatorPaymentsResponse = z.object({
  payments: answerRows(operatorPayment),
  nextCursor: answerText.nullable(),
});
const attendedResponse = z.object({ attended: z.literal(true) });

export const topupEndpoints = {
  listVoucherBatches: {
    ...get("/api/admin/vouchers", byOperator("money:read")),
    command: "voucher list",
    query: batchesQuery,
    answer: batchesResponse,
  },
  createVouchers: {
    ...post("/api/admin/vouchers", byOperator("points:write")),
    proof: "recent",
    command: "voucher create",
    status: 201,
    body: createBatchRequest,
    answer: createBatchResponse,
  },
  listBatchVouchers: {
    ...get("/api/admin/vouchers/{id}", byOperator("money:read")),
    command: "voucher show",
    query: vouchersQuery,
    answer: vouchersResponse,
  },
  downloadBatch: {
    ...get("/api/admin/vouchers/{id}/csv", byOperator("money:read")),
    answer: "csv",
  },
  cancelVouchers: {
    ...post("/api/admin/vouchers/{id}/cancel", byOperator("points:write")),
    proof: "recent",
    command: "voucher cancel",
    answer: cancelBatchResponse,
  },
  listAllPackages: {
    ...get("/api/admin/packages", byOperator("prices:read")),
    command: "package list",
    answer: operatorPackagesResponse,
  },
  createPackage: {
    ...post("/api/admin/packages", byOperator("prices:write")),
    proof: "recent",
    command: "package create",
    status: 201,
    body: createPackageRequest,
    answer: packageResponse,
  },
  changePackage: {
    ...post("/api/admin/packages/{id}", byOperator("prices:write")),
    proof: "recent",
    command: "package change",
    body: changePackageRequest,
    answer: packageResponse,
  },
  listAllPayments: {
    ...get("/api/admin/payments", byOperator("money:read")),
    command: "payment list",
    query: operatorPaymentsQuery,
    answer: operatorPaymentsResponse,
  },
  attendPayment: {
    ...post("/api/admin/payments/{id}/attend", byOperator("operations:write")),
    command: "payment attend",
    answer: attendedResponse,
  },
} as const satisfies PageEndpoints;

export type BatchView = z.infer<typeof batch>;
export type VoucherView = z.infer<typeof voucher>;
export type OperatorPackageView = z.infer<typeof operatorPackage>;
export type OperatorPaymentView = z.infer<typeof operatorPayment>;
