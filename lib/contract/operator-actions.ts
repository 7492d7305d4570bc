/** What the page of the log of actions asks of `/api/admin/actions…` and what it gets. */
import { z } from "zod";
import { cursor } from "./operator-accounts";
import { moment } from "./site";

const filter = {
  /** A user's id or email, `cli` or `system`. */
  actor: z.string().trim().min(1).max(254).optional(),
  /** Such as `account.suspend`, or its beginning. */
  action: z.string().trim().min(1).max(60).optional(),
  subject: z.string().trim().min(1).max(254).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
};
export const actionsQuery = z.object({ ...filter, cursor });
export const actionsCsvQuery = z.object(filter);

const action = z.object({
  /** Its place in the chain. */
  seq: z.string(),
  at: moment,
  actor: z.string(),
  actorEmail: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  subjectEmail: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  hash: z.string(),
});
/** Newest first; `nextCursor` is null on the last page. */
export const actionsResponse = z.object({ actions: z.array(action), nextCursor: z.string().nullable() });

export const chainResponse = z.object({
  ok: z.boolean(),
  rows: z.number().int(),
  head: z.string(),
  broken: z.object({ seq: z.string(), why: z.enum(["changed", "missing", "unlinked", "beyond_head"]) }).nullable(),
  checkedAt: moment,
});

export type ActionView = z.infer<typeof action>;
