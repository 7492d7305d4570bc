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
  newCharge,
  newKey,
  newSession,
  newUser,
  nextNumber,
} from "./seed";

export const accountCommands: readonly BrokenOffCommand[] = [
  {
    action: "account.create",
    async prepare() {
      const user = {
        email: `made${nextNumber()}@example.com`,
        passwordHash: null,
        name: null,
        isOperator: true,
        welcomePoints: 5n,
      };
      return (deps) => accounts.createAccount(deps, actor, user);
    },
  },
  {
    action: "account.suspend",
    async prepare(site) {
      const { accountId } = await newUser(site);
      return (deps) => accounts.suspendAccount(deps, actor, { accountId, reason: "Unpaid" });
    },
  },
  {
    action: "account.resume",
    async prepare(site) {
      const { accountId } = await newUser(site);
      await accounts.suspendAccount(site.deps, actor, { accountId, reason: "Unpaid" });
      return (deps) => accounts.resumeAccount(deps, actor, { accountId });
    },
  },
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
  {
    action: "account.key_limit",
    async prepare(site) {
      const { accountId } = await newUser(site);
      return (deps) => accounts.changeKeyDefault(deps, actor, { accountId, requestsPerMinute: 5 });
    },
  },
  {
    action: "account.low_balance_notice",
    async prepare(site) {
      const { accountId } = await newUser(site);
      return (deps) => accounts.changeAccount(deps, actor, { accountId, lowBalanceNotice: 5n });
    },
  },
  {
    action: "account.retry_joins",
    async prepare(site) {
      const { accountId } = await newUser(site);
      return (deps) => accounts.changeAccount(deps, actor, { accountId, joinsRetries: false });
    },
  },
  {
    action: "account.content",
    async prepare(site) {
      const { accountId } = await newUser(site);
      return (deps) => accounts.changeAccount(deps, actor, { accountId, contentDays: 7 });
    },
  },
  {
    action: "account.sessions",
    async prepare(site) {
      const { accountId } = await newUser(site);
      return (deps) => accounts.changeAccount(deps, actor, { accountId, keepsSessions: false });
    },
  },
  {
    action: "user.operator",
    async prepare(site) {
      const { userId } = await newUser(site);
      return (deps) => accounts.setOperator(deps, actor, { userId, isOperator: true });
    },
  },
  {
    action: "account.credit",
    async prepare(site) {
      const { accountId } = await newUser(site);
      return (deps) =>
        points.adjustPoints(deps, actor, {
          accountId,
          amount: 5n,
          ref: `by hand ${accountId}`,
          reason: "Because",
        });
    },
  },
  {
    action: "charge.refund",
    async prepare(site) {
      const operationId = await newCharge(site);
      return (deps) =>
        points.refundCharge(deps, actor, {
          operationId,
          amount: 5n,
          ref: operationId,
          reason: "Because",
        });
    },
  },
  {
    action: "sessions.end_one",
    async prepare(site) {
      const session = await newSession(site);
      return (deps) => sessions.endSession(deps, actor, session);
    },
  },
  {
    action: "sessions.end_all",
    async prepare(site) {
      const { userId } = await newSession(site);
      return (deps) => sessions.endAllSessions(deps, actor, { userId });
    },
  },
  {
    action: "password.change",
    async prepare(site) {
      const { userId } = await newUser(site);
      await site.deps.database.user.update({
        where: { id: userId },
        data: { passwordHash: null },
      });
      return (deps) => changePassword(deps, userId, { newPassword: "another horse battery" });
    },
  },
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
  {
    action: "password.reset_request",
    async prepare(site) {
      const { userId } = await newUser(site);
      return (deps) => makeResetLink(deps, "system", { userId });
    },
  },
  {
    action: "password.reset",
    async prepare(site) {
      const { resetToken: token } = await withLinks(site);
      return (deps) => resetPassword(deps, { token, newPassword: "another horse battery" });
    },
  },
  {
    action: "password.change",
    what: "by an operator",
    async prepare(site) {
      const { userId } = await withLinks(site);
      return (deps) => setPassword(deps, actor, { userId, newPassword: "another horse battery" });
    },
  },
  {
    action: "email.request",
    async prepare(site) {
      const { userId } = await newUser(site);
      const email = `wanted${nextNumber()}@example.com`;
      return (deps) => requestEmail(deps, userId, { userId, email });
    },
  },
  {
    action: "email.change",
    async prepare(site) {
      const { userId, confirmToken: token } = await withLinks(site);
      return (deps) => confirmEmail(deps, userId, { token });
    },
  },
  {
    action: "email.change",
    what: "by an operator",
    async prepare(site) {
      const { userId } = await withLinks(site);
      const email = `other${nextNumber()}@example.com`;
      return (deps) => changeEmail(deps, actor, { userId, email });
    },
  },
  {
    action: "email.undo",
    async prepare(site) {
      const { userId, undoToken: token, confirmToken } = await withLinks(site);
      await confirmEmail(site.deps, userId, { token: confirmToken });
      return (deps) => undoEmail(deps, { token });
    },
  },
  {
    action: "account.close",
    async prepare(site) {
      const { accountId } = await withLinks(site);
      return (deps) => closeAccount(deps, actor, { accountId });
    },
  },
];

export const keyCommands: readonly BrokenOffCommand[] = [
  ...operatorKeyCommands,
  {
    action: "management_key.create",
    async prepare(site) {
      const { accountId } = await newUser(site);
      const wanted = { accountId, name: "one", scopes: ["keys:read"] } as const;
      return (deps) => managementKeys.createManagementKey(deps, actor, wanted);
    },
  },
  {
    action: "management_key.revoke",
    async prepare(site) {
      const { accountId } = await newUser(site);
      const wanted = { accountId, name: "one", scopes: ["keys:read"] } as const;
      const { key } = await managementKeys.createManagementKey(site.deps, actor, wanted);
      return (deps) => managementKeys.revokeManagementKey(deps, actor, { id: key.id, accountId });
    },
  },
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
  {
    action: "key.change",
    what: "limits that renew",
    async prepare(site) {
      const key = await newKey(site);
      const limits = { budgetDay: 7n, concurrentMax: 2, tokensPerMinute: 100 };
      return (deps) => keys.changeApiKey(deps, actor, { ...key, ...limits });
    },
  },
  {
    action: "key.change",
    async prepare(site) {
      const key = await newKey(site);
      return (deps) =>
        keys.changeApiKey(deps, actor, { ...key, name: "other", budget: 7n, hourlySpendMax: 3n });
    },
  },
  {
    action: "key.resume",
    async prepare(site) {
      const key = await newKey(site);
      await site.deps.database.apiKey.update({
        where: { id: key.id },
        data: { pausedAt: new Date(), pausedSpend: 9n },
      });
      return (deps) => keys.resumeApiKey(deps, actor, key);
    },
  },
  {
    action: "key.revoke",
    async prepare(site) {
      const key = await newKey(site);
      return (deps) => keys.revokeApiKey(deps, actor, key);
    },
  },
];
