/** What operators see and change about requests, tasks and stuck work. */
import * as ledger from "../commands/ledger";
import { refundCharge } from "../commands/points";
import { checkTask } from "../commands/tasks";
import type { requestEndpoints } from "../contract/operator-requests";
import { formatPoints } from "../money/points";
import { requestedPoints } from "../money/requested-points";
import { operationToRefund } from "../queries/operations";
import { listAllTasks } from "../queries/operator-tasks";
import { operationTrail } from "../queries/request-log";
import { listRequests, loggedRequest } from "../queries/requests";
import { showStuck } from "../queries/stuck";
import { historyDeps, type ProgramDeps, type UseCases } from "./use-case";

export const requestUseCases: UseCases<typeof requestEndpoints, ProgramDeps> = {
  listRequests: (call) => listRequests(historyDeps(call), call.query),
  showLoggedRequest: ({ deps, id }) => loggedRequest(deps, { id }),
  async refundCharge({ deps, body, id, user }) {
    const { operationId } = await operationToRefund(deps, id);
    const wanted = body.points === null ? null : requestedPoints("points", body.points);
    const { reason, ref } = body;
    const refund = { operationId, amount: wanted, ref, reason };
    const { entryId, isNew, amount } = await refundCharge(deps, user.userId, refund);
    const { refunds } = await operationTrail(deps.pool, operationId);
    const refunded = refunds.reduce((sum, each) => sum + each.amount, 0n);
    return { entryId, isNew, points: formatPoints(amount), refunded: formatPoints(refunded) };
  },
  listAllTasks: (call) => listAllTasks(historyDeps(call), call.query),
  async checkTask({ deps, id, user }) {
    await checkTask(deps, user.userId, { id });
    return { done: true };
  },
  showStuck: ({ deps }) => showStuck(deps),
  async sweepLedger({ deps, user }) {
    return { ended: await ledger.sweepLedger(deps, user.userId) };
  },
  async releaseNode({ deps, id, user }) {
    return { operations: await ledger.releaseNode(deps, user.userId, { id }) };
  },
};
