import { formatMultiplier, parseMultiplier } from "@/lib/accounts/multipliers";
import { welcomeRules } from "@/lib/accounts/welcome";
import { findModel } from "@/lib/catalog/models";
import {
  changeAccount,
  changeMultiplier,
  createAccount,
  setOperator,
} from "@/lib/commands/accounts";
import { adjustPoints } from "@/lib/commands/points";
import { endAllSessions } from "@/lib/commands/sessions";
import { newId } from "@/lib/crypto/ids";
import { pointsNumber } from "@/lib/money/points";
import { findUserByEmail, findUsers, listOperators } from "@/lib/queries/users";
import { accessCommands } from "./account-access";
import {
  actor,
  type Command,
  type Flags,
  oncePerRef,
  type PoolCommand,
  type Report,
  UsageError,
} from "./command";
import type { OpenInstallation } from "./open";
import { secondFactorOf } from "./second-factor";
import { table } from "./table";
import { emailOf, passwordOf } from "./user-flags";

async function showAccount(installation: OpenInstallation, email: string) {
  const { accountId, isOperator, account, ...user } = await findUserByEmail(installation, email);
  const { available, held } = await installation.ledger.balance(accountId);
  return {
    id: accountId,
    email: user.email,
    operator: isOperator,
    available_points: pointsNumber(available),
    held_points: pointsNumber(held),
    multiplier:
      account.multiplierPpm === null ? null : Number(formatMultiplier(account.multiplierPpm)),
    group: account.group?.name ?? null,
    key_requests_per_minute: account.keyRequestsPerMinute,
    model_multipliers: Object.fromEntries(
      account.modelMultipliers.map((own) => [
        own.model,
        Number(formatMultiplier(own.multiplierPpm)),
      ]),
    ),
    joins_retries: account.joinsRetries,
    content_days: account.contentDays,
    keeps_sessions: account.keepsSessions,
    ...(await secondFactorOf(installation, user.id)),
    status: account.status,
  };
}

type Account = Awaited<ReturnType<typeof showAccount>>;
const accountText = ({ model_multipliers, ...account }: Account) =>
  table([
    {
      ...account,
      model_multipliers:
        Object.entries(model_multipliers)
          .map(([model, value]) => `${model}=${value}`)
          .join(",") || null,
    },
  ]);

const create: Command = {
  usage:
    "--email E [--password - | --password-stdin] [--operator] [--points N]   (the password comes from standard input or RELAY_PASSWORD)",
  async run(installation, flags) {
    const email = emailOf(flags, "email");
    const password = await passwordOf(flags);
    const { hashPassword } = await import("@/lib/accounts/password");
    await createAccount(installation, actor, {
      email,
      passwordHash: await hashPassword(password),
      isOperator: flags.flag("operator"),
      welcomePoints:
        flags.pointsNotNegative("points") ?? welcomeRules(installation.settings).points,
    });
    const account = await showAccount(installation, email);
    return { json: { account }, text: accountText(account) };
  },
};

const credit: Command = {
  usage:
    "--email E --points N --reason R [--ref X]   (N: up to six decimals, negative to take points away; the same X takes effect once)",
  async run(installation, flags) {
    const reason = flags.text("reason");
    const amount = flags.points("points");
    if (amount === null || amount === 0n)
      throw new UsageError("--points must be a number other than 0");
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    const ref = flags.optional("ref") ?? newId("request");
    const { entryId } = await oncePerRef(ref, () =>
      adjustPoints(installation, actor, { accountId, amount, ref, reason }),
    );
    const account = await showAccount(installation, flags.text("email"));
    return {
      json: { account, entry: { id: entryId, points: pointsNumber(amount) } },
      text: accountText(account),
    };
  },
};

const show: Command = {
  usage: "--email E",
  async run(installation, flags) {
    const account = await showAccount(installation, flags.text("email"));
    return { json: { account }, text: accountText(account) };
  },
};

const multiplier: Command = {
  usage:
    "--email E --value 1.25|none [--model M] [--reason R]   (none: what applies is the account's for all models, else its group's)",
  async run(installation, flags) {
    const value = flags.text("value");
    const named = flags.optional("model");
    const model = named === null ? null : (findModel(named)?.id ?? named);
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    const multiplierPpm = value === "none" ? null : parseMultiplier(value);
    await changeMultiplier(installation, actor, {
      accountId,
      model,
      multiplierPpm,
      reason: flags.optional("reason"),
    });
    const account = await showAccount(installation, flags.text("email"));
    return { json: { account }, text: accountText(account) };
  },
};

const retries: Command = {
  usage:
    "--email E --join yes|no   (yes: a client library's retry joins the video or image order it repeats; no: it orders another one)",
  async run(installation, flags) {
    const join = flags.text("join");
    if (join !== "yes" && join !== "no") throw new UsageError("--join must be yes or no");
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    await changeAccount(installation, actor, { accountId, joinsRetries: join === "yes" });
    return shown(installation, flags);
  },
};

async function shown(installation: OpenInstallation, flags: Flags): Promise<Report> {
  const account = await showAccount(installation, flags.text("email"));
  return { json: { account }, text: accountText(account) };
}

const operator: Command = {
  usage: "--email E --value yes|no   (the only way to make a user an operator)",
  async run(installation, flags) {
    const value = flags.text("value");
    if (value !== "yes" && value !== "no") throw new UsageError("--value must be yes or no");
    const { id } = await findUserByEmail(installation, flags.text("email"));
    await setOperator(installation, actor, { userId: id, isOperator: value === "yes" });
    return shown(installation, flags);
  },
};

const signOut: Command = {
  usage: "--email E   (ends all its sessions; its keys keep working)",
  async run(installation, flags) {
    const { id: userId } = await findUserByEmail(installation, flags.text("email"));
    await endAllSessions(installation, actor, { userId });
    return shown(installation, flags);
  },
};

const LISTED = 50;

const list: PoolCommand = {
  usage: "[--search TEXT] [--limit N]   (newest first; TEXT: part of an email address)",
  async runOnPool(pool, flags) {
    const limit = flags.whole("limit") ?? LISTED;
    if (limit < 1) throw new UsageError("--limit must be at least 1");
    const users = await findUsers(pool, { emailPart: flags.optional("search") ?? "", limit });
    const accounts = users.map(({ accountId, email, isOperator, status, createdAt }) => ({
      id: accountId,
      email,
      operator: isOperator,
      status,
      created_at: createdAt.toISOString(),
    }));
    return { json: { accounts }, text: table(accounts) };
  },
};

const operators: Command = {
  usage: "",
  async run(installation) {
    const found = await listOperators(installation);
    const list = found.map(({ id, email, accountId, createdAt }) => ({
      id,
      email,
      account: accountId,
      created_at: createdAt.toISOString(),
    }));
    return { json: { operators: list }, text: table(list) };
  },
};

/** The others are made from rows. */
export const accountCommands = {
  create,
  credit,
  list,
  show,
  multiplier,
  retries,
  "sign-out": signOut,
  ...accessCommands,
  operator,
  operators,
};
