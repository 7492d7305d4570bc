/** The answer of `/api/admin/imports`: what moved here from other relays. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { byOperator, get, type PageEndpoints } from "./page-endpoint";

const count = z.number().int();
const source = z.object({
  name: answerText,
  product: answerText,
  /** A whole number. */
  quotaPerPoint: answerText,
  /** When it moved first. */
  createdAt: moment,
  users: count,
  keys: count,
  groups: count,
  channels: count,
  models: count,
  vouchers: count,
  /** Of its log, of accounts that moved. */
  requests: count,
});

export const importEndpoints = {
  listImports: {
    ...get("/api/admin/imports", byOperator("accounts:read")),
    answer: z.object({ imports: answerRows(source) }),
  },
} as const satisfies PageEndpoints;

export type ImportView = z.infer<typeof source>;
