/** What operators see and change about accounts, their keys and sessions. */
import { parseMultiplier } from "../accounts/multipliers";
import { changeAccountGroup } from "../commands/account-group";
import * as accounts from "../commands/accounts";
import { revokeApiKey } from "../commands/api-keys";
import { adjustPoints } from "../commands/points";
import { endSession } from "../commands/sessions";
import type { accountEndpoints, accountProgramRows } from "../contract/operator-accounts";
import { formatPoints } from "../money/points";
import { requestedPoints } from "../money/requested-points";
import { listAccountEntries, listAccounts, showAccount } from "../queries/accounts";
import type { ProgramDeps, UseCases } from "./use-case";

const done = { done: true } as const;

export const accountProgramUseCases: UseCases<typeof accountProgramRows, ProgramDeps> = {
  createAccount: ({ deps, body, user }) =>
    // Without points of welcome: they come from those who may give them.
    accounts.createAccount(deps, user.userId, { email: body.email, name: body.name ?? null }),
  listAccountEntries: ({ deps, query, id }) => listAccountEntries(deps, { ...query, id }),
  async adjustPoints({ deps, body, id, user }) {
    const { reason, ref } = body;
    const amount = requestedPoints("points", body.points);
    const adjustment = { accountId: id, amount, ref, reason };
    const { entryId, isNew } = await adjustPoints(deps, user.userId, adjustment);
    const { available } = await deps.ledger.balance(id);
    return { entryId, isNew, available: formatPoints(available) };
  },
  async changeMultiplier({ deps, body, id, user }) {
    const { model, multiplier, reason } = body;
    const multiplierPpm = multiplier === null ? null : parseMultiplier(multiplier);
    const change = { accountId: id, model, multiplierPpm, reason };
    await accounts.changeMultiplier(deps, user.userId, change);
    return done;
  },
  async changeAccountGroup({ deps, body: { group, reason }, id, user }) {
    await changeAccountGroup(deps, user.userId, { accountId: id, groupId: group, reason });
    return done;
  },
  async changeKeyDefault({ deps, body: { requestsPerMinute }, id, user }) {
    await accounts.changeKeyDefault(deps, user.userId, { accountId: id, requestsPerMinute });
    return done;
  },
  async suspendAccount({ deps, body, id, user }) {
    await accounts.suspendAccount(deps, user.userId, { accountId: id, reason: body.reason });
    deps.sessions.forget();
    return done;
  },
  async resumeAccount({ deps, id, user }) {
    await accounts.resumeAccount(deps, user.userId, { accountId: id });
    deps.sessions.forget();
    return done;
  },
  async revokeAccountKey({ deps, id, user }) {
    await revokeApiKey(deps, user.userId, { id, accountId: null });
    return done;
  },
  async endAccountSession({ deps, id, user }) {
    await endSession(deps, user.userId, { sessionId: id, userId: null });
    deps.sessions.forget();
    return done;
  },
};

export const accountsUseCases: UseCases<typeof accountEndpoints> = {
  ...accountProgramUseCases,
  listAccounts: ({ deps, query }) => listAccounts(deps, query),
  showAccount: ({ deps, id }) => showAccount(deps, { id }),
};
