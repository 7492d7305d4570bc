/**
 * Requests of the operators' pages about requests, tasks and stuck work to `/api/admin/…`, and
 * their answers.
 */

import { z } from "zod";
import { answerRows, answerText, done, moment } from "./bounds";
import { entry, made } from "./entries";
import { ID_LENGTH_MAX, MODEL_LENGTH_MAX } from "./limits";
import { cursor, refundRequest, refundResponse } from "./operator-accounts";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { points } from "./points";
import { dialects, holdAges, holdStates, taskStatuses } from "./states";
import { archived, requestResponse } from "./usage";

const DAY_MS = 86_400_000;
const DAYS_MAX = 92;

const who = z.object({ id: answerText, email: answerText.nullable() });

export const requestLogQuery = z
  .object({
    from: moment,
    to: moment,
    model: z.string().min(1).max(MODEL_LENGTH_MAX).optional(),
    status: z.enum(holdStates).optional(),
    account: z.string().min(1).max(ID_LENGTH_MAX).optional(),
    channel: z.string().min(1).max(ID_LENGTH_MAX).optional(),
    dialect: z.enum(dialects).optional(),
    cursor,
  })
  .refine(
    ({ from, to }) =>
      Date.parse(to) > Date.parse(from) && Date.parse(to) - Date.parse(from) <= DAYS_MAX * DAY_MS,
    {
      path: ["from"],
      message: `\`to\` must be later, by at most ${DAYS_MAX} days`,
    },
  );

const channelNamed = z.object({ id: answerText, name: answerText.nullable() });
/** How the last failed attempt failed: our code, the HTTP status, the upstream's own words. */
const failed = {
  code: answerText.nullable(),
  status: z.number().int().nullable(),
  said: answerText.nullable(),
};
const attempt = z.object({
  id: answerText,
  channel: channelNamed,
  credential: answerText.nullable(),
  upstreamModel: answerText,
  ...failed,
  internal: answerText.nullable(),
  upstreamRef: answerText.nullable(),
  tookMs: z.number().int(),
  endedAt: moment,
});
const logged = z.object({
  entry,
  account: who,
  channel: channelNamed.nullable(),
  /** Null where no attempt failed, and once it is removed by age. */
  failure: z.object(failed).nullable(),
});
/** Newest first; `nextCursor` is null on the last page. Those of `archived` are left out. */
const requestLogResponse = z.object({
  requests: answerRows(logged),
  nextCursor: answerText.nullable(),
  archived,
});

export const loggedRequestResponse = z.object({
  request: requestResponse,
  account: who,
  channel: channelNamed.nullable(),
  /** The calls that the request's own row does not tell of, oldest first. */
  attempts: answerRows(attempt),
  upstreamRef: answerText.nullable(),
  taskId: answerText.nullable(),
  /** How often the upstream was asked for the task, and how often in a row without an answer. */
  polls: z.object({ count: z.number().int(), failures: z.number().int() }).nullable(),
  nodeId: answerText.nullable(),
  deadline: moment,
  /** Whether it was read from an archived file. Its charge cannot be refunded. */
  isArchived: z.boolean(),
  losses: answerRows(z.object({ cause: answerText, estimate: points, at: moment })),
  refunds: answerRows(
    z.object({ id: answerText, points, reason: answerText, actor: answerText, at: moment }),
  ),
});

export const tasksQuery = z.object({
  status: z.enum(taskStatuses).optional(),
  account: z.string().min(1).max(ID_LENGTH_MAX).optional(),
  /** A task's id. */
  q: z.string().trim().max(ID_LENGTH_MAX).optional(),
  cursor,
});
const task = z.object({
  id: answerText,
  account: who,
  model: answerText,
  made,
  status: z.enum(taskStatuses),
  channel: answerText.nullable(),
  upstreamRef: answerText.nullable(),
  polls: z.number().int(),
  pollFailures: z.number().int(),
  errorCode: answerText.nullable(),
  /** The charge; null while the task runs, and when its request is archived. */
  charged: points.nullable(),
  /** Null when its request is archived. */
  held: points.nullable(),
  createdAt: moment,
  endedAt: moment.nullable(),
  /** Null when its request is archived. */
  deadline: moment.nullable(),
  /** Whether its request is only in an archived file, which the request's page reads. */
  isArchived: z.boolean(),
});
const tasksResponse = z.object({ tasks: answerRows(task), nextCursor: answerText.nullable() });

/** Everything that may need an operator: the oldest of each kind, at most 50. */
export const stuckResponse = z.object({
  /** Open holds by age. */
  ages: answerRows(z.object({ age: z.enum(holdAges), holds: z.number().int(), held: points })),
  holds: answerRows(
    z.object({
      operationId: answerText,
      requestId: answerText,
      account: who,
      model: answerText,
      held: points,
      openedAt: moment,
      deadline: moment,
      isOverdue: z.boolean(),
      taskId: answerText.nullable(),
      /**
       * Who must end it. `worker`: any server, through its task. `gone`: the next sweep ends it.
       */
      owner: z.enum(["alive", "dead", "gone", "worker"]),
      nodeId: answerText.nullable(),
    }),
  ),
  /** Tasks past their deadline, or whose polls keep failing. */
  tasks: answerRows(task),
  /** Processes whose lease expired while they had open holds. */
  nodes: answerRows(
    z.object({
      id: answerText,
      leaseUntil: moment,
      open: z.number().int(),
      held: points,
      /**
       * Whether its spool is in the folder that this server reads. If so, a sweep ends what it
       * left.
       */
      isHere: z.boolean(),
    }),
  ),
  /** Spool files in this server's folder that could not be read completely. */
  files: answerRows(
    z.object({
      name: answerText,
      why: z.enum(["damaged", "unknown"]),
      bytes: z.number().int(),
      at: moment,
    }),
  ),
});
const checkResponse = z.object({ ended: z.number().int() });
const releaseNodeResponse = z.object({ operations: z.number().int() });

export const requestEndpoints = {
  listRequests: {
    ...get("/api/admin/requests", byOperator("usage:read")),
    command: "request list",
    query: requestLogQuery,
    answer: requestLogResponse,
  },
  showLoggedRequest: {
    ...get("/api/admin/requests/{id}", byOperator("usage:read")),
    command: "request show",
    answer: loggedRequestResponse,
  },
  refundCharge: {
    ...post("/api/admin/requests/{id}/refund", byOperator("points:write")),
    command: "ledger refund",
    proof: "recent",
    body: refundRequest,
    answer: refundResponse,
  },
  listAllTasks: {
    ...get("/api/admin/tasks", byOperator("usage:read")),
    command: "task list",
    query: tasksQuery,
    answer: tasksResponse,
  },
  checkTask: {
    ...post("/api/admin/tasks/{id}/check", byOperator("operations:write")),
    command: "task check",
    answer: done,
  },
  showStuck: {
    ...get("/api/admin/stuck", byOperator("usage:read")),
    answer: stuckResponse,
  },
  sweepLedger: {
    ...post("/api/admin/stuck/check", byOperator("operations:write")),
    command: "ledger sweep",
    answer: checkResponse,
  },
  releaseNode: {
    ...post("/api/admin/nodes/{id}/release", byOperator("operations:write")),
    command: "node release",
    proof: "recent",
    answer: releaseNodeResponse,
  },
} as const satisfies PageEndpoints;

export type LoggedRequest = z.infer<typeof logged>;
export type LoggedRequestView = z.infer<typeof loggedRequestResponse>;
export type TaskView = z.infer<typeof task>;
export type StuckView = z.infer<typeof stuckResponse>;
