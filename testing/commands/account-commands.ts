/** The commands about accounts and keys, each with the state it needs. */
import * as accounts from "@/lib/commands/accounts";
import * as keys from "@/lib/commands/api-keys";
import { changeEmail, confirmEmail, requestEmail, undoEmail } from "@/lib/commands/change-email";
import { closeAccount } from "@/lib/commands/close-account";
import * as managementKeys from "@/lib/commands/management-keys";
import * as points from "@/lib/commands/points";
import { makeResetLink, resetPassword, setPassword } from "@/lib/commands/recovery";
import * as sessions from "@/lib/commands/sessions";
import { changePassword } from "@/lib/commands/sign-in";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { factorCommands } from "./factor-commands";
import { operatorKeyCommands } from "./operator-key-commands";
import {
  actor,
  type BrokenOffCommand,
  commandOn,
  newCharge,
  newKey,
  newSession,
  newUser,
  nextNumber,
  prepared,
} from "./seed";

export const accountCommands: readonly BrokenOffCommand[] = [
  prepared("account.create", async () => {
    const user = {
      email: `made${nextNumber()}@example.com`,
      isOperator: true,
      welcomePoints: 5n,
    };
    return (deps) => accounts.createAccount(deps, actor, user);
  }),
  commandOn("account.suspend", newUser, (deps, { accountId }) =>
    accounts.suspendAccount(deps, actor, { accountId, reason: "Unpaid" }),
  ),
  prepared("account.resume", async (site) => {
    const { accountId } = await newUser(site);
    await accounts.suspendAccount(site.deps, actor, { accountId, reason: "Unpaid" });
    return (deps) => accounts.resumeAccount(deps, actor, { accountId });
  }),
  ...[null, "RelayV1"].map(
    (model): BrokenOffCommand => ({
      action: "account.multiplier",
      what: model ?? "all models",
      async prepare(site) {
        const { accountId } = await newUser(site);
        const change = { accountId, model, multiplierPpm: 850_000, reason: null };
        return (deps) => accounts.changeMultiplier(deps, actor, change);
      },
    }),
  ),
  commandOn("account.key_limit", newUser, (deps, { accountId }) =>
    accounts.changeKeyDefault(deps, actor, { accountId, requestsPerMinute: 5 }),
  ),
  commandOn("account.low_balance_notice", newUser, (deps, { accountId }) =>
    accounts.changeAccount(deps, actor, { accountId, lowBalanceNotice: 5n }),
  ),
  commandOn("account.retry_joins", newUser, (deps, { accountId }) =>
    accounts.changeAccount(deps, actor, { accountId, joinsRetries: false }),
  ),
  commandOn("account.content", newUser, (deps, { accountId }) =>
    accounts.changeAccount(deps, actor, { accountId, contentDays: 7 }),
  ),
  commandOn("account.sessions", newUser, (deps, { accountId }) =>
    accounts.changeAccount(deps, actor, { accountId, keepsSessions: false }),
  ),
  commandOn("user.operator", newUser, (deps, { userId }) =>
    accounts.setOperator(deps, actor, { userId, isOperator: true }),
  ),
  commandOn("account.credit", newUser, (deps, { accountId }) =>
    points.adjustPoints(deps, actor, {
      accountId,
      amount: 5n,
      ref: `by hand ${accountId}`,
      reason: "Because",
    }),
  ),
  commandOn("charge.refund", newCharge, (deps, operationId) =>
    points.refundCharge(deps, actor, {
      operationId,
      amount: 5n,
      ref: operationId,
      reason: "Because",
    }),
  ),
  commandOn("sessions.end_one", newSession, (deps, session) =>
    sessions.endSession(deps, actor, session),
  ),
  commandOn("sessions.end_all", newSession, (deps, { userId }) =>
    sessions.endAllSessions(deps, actor, { userId }),
  ),
  prepared("password.change", async (site) => {
    const { userId } = await newUser(site);
    await site.deps.database.user.update({
      where: { id: userId },
      data: { passwordHash: null },
    });
    return (deps) => changePassword(deps, userId, { newPassword: "another horse battery" });
  }),
];

/** A user with links that were mailed. */
async function withLinks(site: SiteProcess) {
  const { userId, accountId } = await newUser(site);
  const next = { userId, email: `next${nextNumber()}@example.com` };
  const { confirmToken, undoToken } = await requestEmail(site.deps, userId, next);
  const resetToken = await makeResetLink(site.deps, "system", { userId });
  return { userId, accountId, confirmToken, undoToken, resetToken };
}

/** The commands about passwords, addresses and the end of an account. */
export const accessCommands: readonly BrokenOffCommand[] = [
  ...factorCommands,
  commandOn("password.reset_request", newUser, (deps, { userId }) =>
    makeResetLink(deps, "system", { userId }),
  ),
  commandOn("password.reset", withLinks, (deps, { resetToken: token }) =>
    resetPassword(deps, { token, newPassword: "another horse battery" }),
  ),
  commandOn(
    "password.change",
    withLinks,
    (deps, { userId }) =>
      setPassword(deps, actor, { userId, newPassword: "another horse battery" }),
    { what: "by an operator" },
  ),
  prepared("email.request", async (site) => {
    const { userId } = await newUser(site);
    const email = `wanted${nextNumber()}@example.com`;
    return (deps) => requestEmail(deps, userId, { userId, email });
  }),
  commandOn("email.change", withLinks, (deps, { userId, confirmToken: token }) =>
    confirmEmail(deps, userId, { token }),
  ),
  prepared(
    "email.change",
    async (site) => {
      const { userId } = await withLinks(site);
      const email = `other${nextNumber()}@example.com`;
      return (deps) => changeEmail(deps, actor, { userId, email });
    },
    "by an operator",
  ),
  prepared("email.undo", async (site) => {
    const { userId, undoToken: token, confirmToken } = await withLinks(site);
    await confirmEmail(site.deps, userId, { token: confirmToken });
    return (deps) => undoEmail(deps, { token });
  }),
  commandOn("account.close", withLinks, (deps, { accountId }) =>
    closeAccount(deps, actor, { accountId }),
  ),
];

export const keyCommands: readonly BrokenOffCommand[] = [
  ...operatorKeyCommands,
  prepared("management_key.create", async (site) => {
    const { accountId } = await newUser(site);
    const wanted = { accountId, name: "one", scopes: ["keys:read"] } as const;
    return (deps) => managementKeys.createManagementKey(deps, actor, wanted);
  }),
  prepared("management_key.revoke", async (site) => {
    const { accountId } = await newUser(site);
    const wanted = { accountId, name: "one", scopes: ["keys:read"] } as const;
    const { key } = await managementKeys.createManagementKey(site.deps, actor, wanted);
    return (deps) =>
      managementKeys.revokeManagementKey(deps, actor, { id: key.id, accountId, keepsKeys: false });
  }),
  ...[null, 5n].map(
    (budget): BrokenOffCommand => ({
      action: "key.create",
      what: `budget ${budget}`,
      async prepare(site) {
        const { accountId } = await newUser(site);
        return (deps) =>
          keys.createApiKey(deps, actor, { accountId, name: "one", budget, hourlySpendMax: 7n });
      },
    }),
  ),
  prepared(
    "key.change",
    async (site) => {
      const key = await newKey(site);
      const limits = { budgetDay: 7n, concurrentMax: 2, tokensPerMinute: 100 };
      return (deps) => keys.changeApiKey(deps, actor, { ...key, ...limits });
    },
    "limits that renew",
  ),
  commandOn("key.change", newKey, (deps, key) =>
    keys.changeApiKey(deps, actor, { ...key, name: "other", budget: 7n, hourlySpendMax: 3n }),
  ),
  prepared("key.resume", async (site) => {
    const key = await newKey(site);
    await site.deps.database.apiKey.update({
      where: { id: key.id },
      data: { pausedAt: new Date(), pausedSpend: 9n },
    });
    return (deps) => keys.resumeApiKey(deps, actor, key);
  }),
  commandOn("key.revoke", newKey, (deps, key) => keys.revokeApiKey(deps, actor, key)),
];
