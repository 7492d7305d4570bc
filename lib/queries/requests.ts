import type { z } from "zod";
import type { loggedRequestResponse, requestLogQuery } from "../contract/operator-requests";
import { firstOperationId } from "../crypto/ids";
import { RelayError } from "../failures/relay-error";
import { droppedMonths } from "../ledger/archive/dropped-months";
import { formatPoints } from "../money/points";
import { type AttemptLine, lastFailures } from "./attempts";
import { entryView } from "./entries";
import { emailsOf } from "./find-accounts";
import { operationNamed, requireArchived } from "./operations";
import type { QueryDeps } from "./query-deps";
import { archivedDetail, requestDetail } from "./request-detail";
import { requestLogPage } from "./request-log";
import { courseOf, requestView } from "./usage";

type Deps = Pick<QueryDeps, "pool" | "database">;

const PAGE = 50;

async function channelNames(
  { database }: Deps,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(ids.filter((id) => id !== null))];
  if (named.length === 0) return new Map();
  const channels = await database.channel.findMany({
    where: { id: { in: named } },
    select: { id: true, name: true },
  });
  return new Map(channels.map(({ id, name }) => [id, name]));
}

const channelOf = (id: string | null, names: ReadonlyMap<string, string>) =>
  id === null ? null : { id, name: names.get(id) ?? null };

const attemptView = (
  { channelId, endedAt, ...attempt }: AttemptLine,
  names: ReadonlyMap<string, string>,
) => ({
  ...attempt,
  channel: { id: channelId, name: names.get(channelId) ?? null },
  endedAt: endedAt.toISOString(),
});

/** The requests of all accounts, newest first. */
export async function listRequests(deps: Deps, query: z.output<typeof requestLogQuery>) {
  const { from, to, account, channel, model, status, dialect, cursor } = query;
  const filter = {
    fromId: firstOperationId(Date.parse(from)),
    toId: firstOperationId(Date.parse(to)),
    model,
    status,
    dialect,
  };
  const { lines, nextCursor } = await requestLogPage(
    deps.pool,
    { ...filter, accountId: account, channelId: channel },
    { cursor, limit: PAGE },
  );
  const [archived, failures, emails, names] = await Promise.all([
    droppedMonths(deps.pool, { from, to, zone: "UTC" }),
    lastFailures(
      deps.pool,
      lines.map(({ line }) => line.id),
    ),
    emailsOf(
      deps.pool,
      lines.map(({ accountId }) => accountId),
    ),
    channelNames(
      deps,
      lines.map(({ channelId }) => channelId),
    ),
  ]);
  return {
    requests: lines.map(({ line, accountId, channelId }) => ({
      entry: entryView(line),
      account: { id: accountId, email: emails.get(accountId) ?? null },
      channel: channelOf(channelId, names),
      failure: failures.get(line.id) ?? null,
    })),
    nextCursor,
    archived,
  };
}

/** From the tables, or from an archived file. */
async function loggedFacts({ pool, archive }: Pick<QueryDeps, "pool" | "archive">, id: string) {
  const found = await operationNamed({ pool }, id);
  if (found !== null)
    return {
      facts: found,
      isArchived: false,
      detailNow: () => requestDetail(pool, found.accountId, found.operationId),
    };
  const { facts, line } = await requireArchived({ pool, archive }, id);
  return { facts, isArchived: true, detailNow: () => archivedDetail(pool, facts.accountId, line) };
}

/**
 * One request by its ledger id, by the id in its answer, or by its task's id. Rejects with
 * `not_found`.
 */
export async function loggedRequest(
  deps: Deps & Pick<QueryDeps, "archive">,
  { id }: { id: string },
): Promise<z.input<typeof loggedRequestResponse>> {
  const { facts: found, isArchived, detailNow } = await loggedFacts(deps, id);
  const [detail, course, emails] = await Promise.all([
    detailNow(),
    courseOf(deps.pool, found.operationId),
    emailsOf(deps.pool, [found.accountId]),
  ]);
  const { attempts, trail } = course;
  const tried = attempts.map(({ channelId }) => channelId);
  const names = await channelNames(deps, [found.channelId, ...tried]);
  if (detail === null) throw new RelayError("not_found");
  const { upstreamRef, taskId, nodeId, deadline, polls } = found;
  return {
    request: requestView(detail, course),
    account: { id: found.accountId, email: emails.get(found.accountId) ?? null },
    channel: channelOf(found.channelId, names),
    attempts: attempts.map((attempt) => attemptView(attempt, names)),
    upstreamRef,
    taskId,
    polls,
    nodeId,
    deadline: deadline.toISOString(),
    isArchived,
    losses: trail.losses.map(({ cause, estimate, at }) => ({
      cause,
      estimate: formatPoints(estimate),
      at: at.toISOString(),
    })),
    refunds: trail.refunds.map(({ amount, at, ...refund }) => ({
      ...refund,
      points: formatPoints(amount),
      at: at.toISOString(),
    })),
  };
}
