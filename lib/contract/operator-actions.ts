/** Requests of the page with the audit log to `/api/admin/actions…`, and their answers. */

import { z } from "zod";
import { answerRows, answerText, day, moment, recordOf } from "./bounds";
import { ACTION_LENGTH_MAX, EMAIL_LENGTH_MAX } from "./limits";
import { cursor } from "./operator-accounts";
import { byOperator, get, type PageEndpoints } from "./page-endpoint";

const filter = {
  /** A user's id or email, a key's id, `cli` or `system`. */
  actor: z.string().trim().min(1).max(EMAIL_LENGTH_MAX).optional(),
  /** An action such as `account.suspend`, or its start. */
  action: z.string().trim().min(1).max(ACTION_LENGTH_MAX).optional(),
  subject: z.string().trim().min(1).max(EMAIL_LENGTH_MAX).optional(),
  from: day.optional(),
  to: day.optional(),
};
export const actionsQuery = z.object({ ...filter, cursor });
export const actionsCsvQuery = z.object(filter);

const action = z.object({
  /** The row's position in the chain. */
  seq: answerText,
  at: moment,
  actor: answerText,
  actorEmail: answerText.nullable(),
  /** The current name of the key whose id `actor` is. */
  actorName: answerText.nullable(),
  action: answerText,
  subject: answerText,
  subjectEmail: answerText.nullable(),
  /** The current name of the key, channel, package, … whose id `subject` is. */
  subjectName: answerText.nullable(),
  /** The current names of what `detail`, `before` and `after` tell by its id. */
  names: recordOf(answerText),
  detail: recordOf(z.unknown()),
  before: recordOf(z.unknown()).nullable(),
  after: recordOf(z.unknown()).nullable(),
  hash: answerText,
});
/** Newest first; `nextCursor` is null on the last page. */
const actionsResponse = z.object({
  actions: answerRows(action),
  nextCursor: answerText.nullable(),
});

const chainResponse = z.object({
  ok: z.boolean(),
  rows: z.number().int(),
  head: answerText,
  broken: z
    .object({ seq: answerText, why: z.enum(["changed", "missing", "unlinked", "beyond_head"]) })
    .nullable(),
  checkedAt: moment,
});

export const actionEndpoints = {
  listActions: {
    ...get("/api/admin/actions", byOperator("audit:read")),
    query: actionsQuery,
    answer: actionsResponse,
  },
  downloadActions: {
    ...get("/api/admin/actions/csv", byOperator("audit:read")),
    query: actionsCsvQuery,
    answer: "csv",
  },
  checkChain: {
    ...get("/api/admin/actions/chain", byOperator("audit:read")),
    answer: chainResponse,
  },
} as const satisfies PageEndpoints;

export type ActionView = z.infer<typeof action>;
