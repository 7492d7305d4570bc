import type { z } from "zod";
import { type FoundAccount, findAccounts } from "../accounts/find-accounts";
import { formatMultiplier } from "../accounts/multipliers";
import type { accountEntriesQuery, accountResponse, accountsQuery } from "../contract/operator-accounts";
import { RelayError } from "../errors";
import { isIdOf, isOperationId } from "../ids";
import { history, statement } from "../ledger/history";
import { spendBy } from "../ledger/spend";
import { formatPoints } from "../points";
import type { Call } from "../site/call";
import { entryView } from "../site/entries";
import { keyViews } from "../site/keys";
import type { SiteParts } from "../site/site-parts";
import { operationNamed } from "./find-operation";

const USAGE_DAYS = 30;

const lineOf = ({ multiplierPpm, createdAt, available, held, ...account }: FoundAccount) => ({
  ...account,
  createdAt: createdAt.toISOString(),
  available: formatPoints(available),
  held: formatPoints(held),
  multiplier: formatMultiplier(multiplierPpm),
});

const leadsToOperation = (q: string) => isIdOf("request", q) || isIdOf("task", q) || isOperationId(q);

/** What was typed as a search: an account's id, what leads to one, or a text. Null: it leads to nobody. */
async function searchOf(parts: SiteParts, q: string | undefined) {
  if (q === undefined || q === "") return {};
  if (isIdOf("account", q)) return { accountId: q };
  if (!leadsToOperation(q)) return { text: q };
  const found = await operationNamed(parts, q);
  return found === null ? null : { accountId: found.accountId };
}

export async function listAccounts({ parts, query }: Call<unknown, z.output<typeof accountsQuery>>) {
  const search = await searchOf(parts, query.q);
  if (search === null) return { accounts: [], nextCursor: null };
  const { status, operators, cursor } = query;
  const { accounts, nextCursor } = await findAccounts(parts.pool, { ...search, status, areOperators: operators === "yes", cursor });
  return { accounts: accounts.map(lineOf), nextCursor };
}

async function requireAccount(parts: SiteParts, id: string) {
  const { accounts } = await findAccounts(parts.pool, { accountId: id });
  const account = await parts.database.account.findUnique({
    where: { id },
    include: { modelMultipliers: { orderBy: { model: "asc" } }, users: { orderBy: [{ createdAt: "asc" }, { id: "asc" }], take: 20 } },
  });
  if (account === null || accounts[0] === undefined) throw new RelayError("not_found");
  return { line: lineOf(accounts[0]), account };
}

export async function showAccount({ parts, id }: Call): Promise<z.input<typeof accountResponse>> {
  const { line, account } = await requireAccount(parts, id);
  const [sums, keys, usage, sessions] = await Promise.all([
    statement(parts.pool, id),
    keyViews(parts, id),
    spendBy(parts.pool, id, "model", USAGE_DAYS),
    Promise.all(account.users.map((user) => parts.sessions.list({ userId: user.id, sessionVersion: user.sessionVersion }))),
  ]);
  const { suspendedAt, suspendedReason, keyRequestsPerMinute } = account;
  return {
    account: {
      ...line,
      suspension: suspendedAt === null ? null : { at: suspendedAt.toISOString(), reason: suspendedReason ?? "" },
      modelMultipliers: account.modelMultipliers.map((own) => ({ model: own.model, multiplier: formatMultiplier(own.multiplierPpm) })),
      keyRequestsPerMinute,
      toppedUp: formatPoints(sums.toppedUp),
      charged: formatPoints(sums.charged),
      takenBack: formatPoints(sums.takenBack),
    },
    people: account.users.map(({ id: userId, email, name, isOperator, createdAt }, at) => ({
      id: userId,
      email,
      name,
      isOperator,
      createdAt: createdAt.toISOString(),
      sessions: (sessions[at] ?? []).map(({ lastSeenAt, ...session }) => ({ ...session, lastSeenAt: lastSeenAt.toISOString() })),
    })),
    keys,
    usage: usage.map(({ id: model, requests, amount }) => ({ model, requests, charged: formatPoints(amount) })),
  };
}

/** One page of the account's history, newest first. */
export async function listAccountEntries({ parts, query, id }: Call<unknown, z.output<typeof accountEntriesQuery>>) {
  await requireAccount(parts, id);
  const { lines, nextCursor } = await history(parts.pool, id, query);
  return { entries: lines.map(entryView), nextCursor };
}
