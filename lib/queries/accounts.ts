import type { z } from "zod";
import { multiplierOf } from "../accounts/multiplier-rule";
import { formatMultiplier, formatOwnMultiplier } from "../accounts/multipliers";
import { MEMBERS_PER_ACCOUNT_MAX } from "../contract/limits";
import type {
  accountEntriesQuery,
  accountResponse,
  accountsQuery,
} from "../contract/operator-accounts";
import { memberRoles } from "../contract/states";
import { isIdOf, isOperationId } from "../crypto/ids";
import { isRelayError, RelayError } from "../failures/relay-error";
import { formatPoints } from "../money/points";
import { statement } from "./account-balance";
import { keyViews } from "./api-keys";
import { entryView } from "./entries";
import { type FoundAccount, findAccounts } from "./find-accounts";
import { history } from "./history";
import { operationNamed, requireArchived } from "./operations";
import type { QueryDeps } from "./query-deps";
import { spendBy } from "./spend";

type Deps = Pick<QueryDeps, "pool" | "database">;

const USAGE_DAYS = 30;

const multipliersOf = (ppm: number | null) => ({ ppm, byModel: new Map<string, number>() });

const lineOf = ({
  multiplierPpm,
  groupId,
  groupName,
  groupPpm,
  createdAt,
  available,
  held,
  spent,
  lastSeenAt,
  ...account
}: FoundAccount) => ({
  ...account,
  spent: formatPoints(spent),
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
  group: groupId === null ? null : { id: groupId, name: groupName ?? "" },
  createdAt: createdAt.toISOString(),
  available: formatPoints(available),
  held: formatPoints(held),
  multiplier: formatMultiplier(
    multiplierOf(multipliersOf(multiplierPpm), multipliersOf(groupPpm), null),
  ),
});

const leadsToOperation = (q: string) =>
  isIdOf("request", q) || isIdOf("task", q) || isOperationId(q);

/**
 * Interprets a search text: an account's id, an id that leads to an account, or a part of an email.
 * Null when it leads to no account.
 */
async function searchOf(deps: Pick<QueryDeps, "pool" | "archive">, q: string | undefined) {
  if (q === undefined || q === "") return {};
  if (isIdOf("account", q)) return { accountId: q };
  if (!leadsToOperation(q)) return { text: q };
  const found = (await operationNamed(deps, q)) ?? (await archivedFacts(deps, q));
  return found === null ? null : { accountId: found.accountId };
}

const archivedFacts = (deps: Pick<QueryDeps, "pool" | "archive">, id: string) =>
  requireArchived(deps, id).then(
    ({ facts }) => facts,
    (error: unknown) => {
      if (isRelayError(error) && error.code === "not_found") return null;
      throw error;
    },
  );

/** The accounts that match a search, newest first. */
export async function listAccounts(
  deps: Pick<QueryDeps, "pool" | "archive">,
  { q, status, operators, cursor }: z.output<typeof accountsQuery>,
) {
  const search = await searchOf(deps, q);
  if (search === null) return { accounts: [], nextCursor: null };
  const { accounts, nextCursor } = await findAccounts(deps.pool, {
    ...search,
    status,
    areOperators: operators === "yes",
    cursor,
  });
  return { accounts: accounts.map(lineOf), nextCursor };
}

async function requireAccount({ pool, database }: Deps, id: string) {
  const { accounts } = await findAccounts(pool, { accountId: id });
  const account = await database.account.findUnique({
    where: { id },
    include: {
      modelMultipliers: { orderBy: { model: "asc" } },
      members: {
        orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
        include: { user: true },
        take: MEMBERS_PER_ACCOUNT_MAX,
      },
    },
  });
  if (account === null || accounts[0] === undefined) throw new RelayError("not_found");
  return { line: lineOf(accounts[0]), account };
}

/** Rejects with `not_found`. */
export async function showAccount(
  deps: Pick<QueryDeps, "pool" | "database" | "sessions">,
  { id }: { id: string },
): Promise<z.input<typeof accountResponse>> {
  const { line, account } = await requireAccount(deps, id);
  const [sums, keys, usage, sessions] = await Promise.all([
    statement(deps.pool, id),
    keyViews(deps, id),
    spendBy(deps.pool, id, "model", USAGE_DAYS),
    Promise.all(
      account.members.map(({ user }) =>
        deps.sessions.list({ userId: user.id, sessionVersion: user.sessionVersion }),
      ),
    ),
  ]);
  const { suspendedAt, suspendedReason, keyRequestsPerMinute, multiplierPpm } = account;
  return {
    account: {
      ...line,
      suspension:
        suspendedAt === null
          ? null
          : { at: suspendedAt.toISOString(), reason: suspendedReason ?? "" },
      ownMultiplier: formatOwnMultiplier(multiplierPpm),
      modelMultipliers: account.modelMultipliers.map((own) => ({
        model: own.model,
        multiplier: formatMultiplier(own.multiplierPpm),
      })),
      keyRequestsPerMinute,
      toppedUp: formatPoints(sums.toppedUp),
      charged: formatPoints(sums.charged),
      takenBack: formatPoints(sums.takenBack),
    },
    people: account.members.map(({ role, user }, at) => ({
      id: user.id,
      role: memberRoles.find((each) => each === role) ?? "viewer",
      email: user.email,
      name: user.name,
      isOperator: user.isOperator,
      createdAt: user.createdAt.toISOString(),
      sessions: (sessions[at] ?? []).map(({ lastSeenAt, ...session }) => ({
        ...session,
        lastSeenAt: lastSeenAt.toISOString(),
      })),
    })),
    keys,
    usage: usage.map(({ id: model, requests, amount }) => ({
      model,
      requests,
      charged: formatPoints(amount),
    })),
  };
}

/** A page of the account's history, newest first. */
export async function listAccountEntries(
  deps: Deps,
  { id, ...page }: z.output<typeof accountEntriesQuery> & { id: string },
) {
  await requireAccount(deps, id);
  const { lines, nextCursor, archived } = await history(deps.pool, id, page);
  return { entries: lines.map(entryView), nextCursor, archived };
}
