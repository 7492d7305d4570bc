import type { z } from "zod";
import { emailsOf } from "../accounts/find-accounts";
import type { loggedRequestResponse, requestLogQuery } from "../contract/operator-requests";
import { RelayError } from "../errors";
import { firstOperationId } from "../ids";
import { operationTrail, requestLogPage } from "../ledger/request-log";
import { requestDetail } from "../ledger/usage-log";
import { formatPoints } from "../points";
import type { Call } from "../site/call";
import { entryView } from "../site/entries";
import type { SiteParts } from "../site/site-parts";
import { requestView } from "../site/usage";
import { requireOperation } from "./find-operation";

const PAGE = 50;

async function channelNames(
  { database }: Pick<SiteParts, "database">,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(ids.filter((id) => id !== null))];
  if (named.length === 0) return new Map();
  const channels = await database.channel.findMany({ where: { id: { in: named } }, select: { id: true, name: true } });
  return new Map(channels.map(({ id, name }) => [id, name]));
}

const channelOf = (id: string | null, names: ReadonlyMap<string, string>) => (id === null ? null : { id, name: names.get(id) ?? null });

/** The requests of all accounts, newest first. */
export async function listRequests({ parts, query }: Call<unknown, z.output<typeof requestLogQuery>>) {
  const { from, to, account, channel, model, status, cursor } = query;
  const filter = { fromId: firstOperationId(Date.parse(from)), toId: firstOperationId(Date.parse(to)), model, status };
  const { lines, nextCursor } = await requestLogPage(
    parts.pool,
    { ...filter, accountId: account, channelId: channel },
    { cursor, limit: PAGE },
  );
  const [emails, names] = await Promise.all([
    emailsOf(
      parts.pool,
      lines.map(({ accountId }) => accountId),
    ),
    channelNames(
      parts,
      lines.map(({ channelId }) => channelId),
    ),
  ]);
  return {
    requests: lines.map(({ line, accountId, channelId }) => ({
      entry: entryView(line),
      account: { id: accountId, email: emails.get(accountId) ?? null },
      channel: channelOf(channelId, names),
    })),
    nextCursor,
  };
}

/** One request by the ledger's id, the one its answer carried, or its task's. Rejects with `not_found`. */
export async function loggedRequest(
  parts: Pick<SiteParts, "pool" | "database">,
  id: string,
): Promise<z.input<typeof loggedRequestResponse>> {
  const found = await requireOperation(parts, id);
  const [detail, trail, emails, names] = await Promise.all([
    requestDetail(parts.pool, found.accountId, found.operationId),
    operationTrail(parts.pool, found.operationId),
    emailsOf(parts.pool, [found.accountId]),
    channelNames(parts, [found.channelId]),
  ]);
  if (detail === null) throw new RelayError("not_found");
  const { upstreamRef, taskId, nodeId, deadline } = found;
  return {
    request: requestView(detail),
    account: { id: found.accountId, email: emails.get(found.accountId) ?? null },
    channel: channelOf(found.channelId, names),
    upstreamRef,
    taskId,
    nodeId,
    deadline: deadline.toISOString(),
    losses: trail.losses.map(({ cause, estimate, at }) => ({ cause, estimate: formatPoints(estimate), at: at.toISOString() })),
    refunds: trail.refunds.map(({ amount, at, ...refund }) => ({ ...refund, points: formatPoints(amount), at: at.toISOString() })),
  };
}

export const showAnyRequest = ({ parts, id }: Call) => loggedRequest(parts, id);
