import { formatMultiplier, parseMultiplier } from "@/lib/accounts/multipliers";
import { welcomeRules } from "@/lib/accounts/welcome";
import { findModel } from "@/lib/catalog/models";
import {
  changeAccount,
  changeKeyDefault,
  changeMultiplier,
  createAccount,
  resumeAccount,
  setOperator,
  suspendAccount,
} from "@/lib/commands/accounts";
import { adjustPoints } from "@/lib/commands/points";
import { endAllSessions } from "@/lib/commands/sessions";
import {
  EMAIL_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  REASON_LENGTH_MAX,
  REQUESTS_PER_MINUTE_MAX,
} from "@/lib/contract/limits";
import { newId } from "@/lib/ids";
import { pointsNumber } from "@/lib/points";
import { findUserByEmail, findUsers, listOperators } from "@/lib/queries/users";
import {
  actor,
  type Command,
  type Given,
  oncePerRef,
  type PoolCommand,
  type Report,
  UsageError,
} from "./command";
import type { Opened } from "./open";
import { table } from "./table";

async function showAccount(opened: Opened, email: string) {
  const { accountId, isOperator, account, ...user } = await findUserByEmail(opened, email);
  const { available, held } = await opened.ledger.balance(accountId);
  return {
    id: accountId,
    email: user.email,
    operator: isOperator,
    available_points: pointsNumber(available),
    held_points: pointsNumber(held),
    multiplier: Number(formatMultiplier(account.multiplierPpm)),
    key_requests_per_minute: account.keyRequestsPerMinute,
    model_multipliers: Object.fromEntries(
      account.modelMultipliers.map((own) => [
        own.model,
        Number(formatMultiplier(own.multiplierPpm)),
      ]),
    ),
    joins_retries: account.joinsRetries,
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
  options: {
    email: "string",
    password: "string",
    "password-stdin": "boolean",
    operator: "boolean",
    points: "string",
  },
  async run(opened, given) {
    const email = given.text("email");
    const password = await given.secret("password", "RELAY_PASSWORD");
    if (password === null)
      throw new UsageError("--password is missing: use --password-stdin, or set RELAY_PASSWORD");
    if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > EMAIL_LENGTH_MAX)
      throw new UsageError(`--email ${email} is not an email address`);
    if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX)
      throw new UsageError(
        `--password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
      );
    const { hashPassword } = await import("@/lib/accounts/password");
    await createAccount(opened, actor, {
      email,
      passwordHash: await hashPassword(password),
      name: null,
      isOperator: given.flag("operator"),
      welcomePoints: given.pointsNotNegative("points") ?? welcomeRules(opened.settings).points,
    });
    const account = await showAccount(opened, email);
    return { json: { account }, text: accountText(account) };
  },
};

const credit: Command = {
  usage:
    "--email E --points N --reason R [--ref X]   (N: up to six decimals, negative to take points away; the same X takes effect once)",
  options: { email: "string", points: "string", reason: "string", ref: "string" },
  async run(opened, given) {
    const reason = given.text("reason");
    const amount = given.points("points");
    if (amount === null || amount === 0n)
      throw new UsageError("--points must be a number other than 0");
    const { accountId } = await findUserByEmail(opened, given.text("email"));
    const ref = given.optional("ref") ?? newId("request");
    const { entryId } = await oncePerRef(ref, () =>
      adjustPoints(opened, actor, { accountId, amount, ref, reason }),
    );
    const account = await showAccount(opened, given.text("email"));
    return {
      json: { account, entry: { id: entryId, points: pointsNumber(amount) } },
      text: accountText(account),
    };
  },
};

const show: Command = {
  usage: "--email E",
  options: { email: "string" },
  async run(opened, given) {
    const account = await showAccount(opened, given.text("email"));
    return { json: { account }, text: accountText(account) };
  },
};

const multiplier: Command = {
  usage: "--email E --value 1.25 [--model M] [--reason R]",
  options: { email: "string", value: "string", model: "string", reason: "string" },
  async run(opened, given) {
    const value = given.text("value");
    const named = given.optional("model");
    const model = named === null ? null : (findModel(named)?.id ?? named);
    const { accountId } = await findUserByEmail(opened, given.text("email"));
    const multiplierPpm = parseMultiplier(value);
    await changeMultiplier(opened, actor, {
      accountId,
      model,
      multiplierPpm,
      reason: given.optional("reason"),
    });
    const account = await showAccount(opened, given.text("email"));
    return { json: { account }, text: accountText(account) };
  },
};

const retries: Command = {
  usage:
    "--email E --join yes|no   (yes: a client library's retry joins the video or image order it repeats; no: it orders another one)",
  options: { email: "string", join: "string" },
  async run(opened, given) {
    const join = given.text("join");
    if (join !== "yes" && join !== "no") throw new UsageError("--join must be yes or no");
    const { accountId } = await findUserByEmail(opened, given.text("email"));
    await changeAccount(opened, actor, { accountId, joinsRetries: join === "yes" });
    return shown(opened, given);
  },
};

async function shown(opened: Opened, given: Given): Promise<Report> {
  const account = await showAccount(opened, given.text("email"));
  return { json: { account }, text: accountText(account) };
}

const suspend: Command = {
  usage:
    "--email E --reason R   (its keys are refused within seconds; running requests are settled)",
  options: { email: "string", reason: "string" },
  async run(opened, given) {
    const reason = given.text("reason").slice(0, REASON_LENGTH_MAX);
    const { accountId } = await findUserByEmail(opened, given.text("email"));
    await suspendAccount(opened, actor, { accountId, reason });
    return shown(opened, given);
  },
};

const resume: Command = {
  usage: "--email E",
  options: { email: "string" },
  async run(opened, given) {
    const { accountId } = await findUserByEmail(opened, given.text("email"));
    await resumeAccount(opened, actor, { accountId });
    return shown(opened, given);
  },
};

const operator: Command = {
  usage: "--email E --value yes|no   (the only way to make a user an operator)",
  options: { email: "string", value: "string" },
  async run(opened, given) {
    const value = given.text("value");
    if (value !== "yes" && value !== "no")
      throw new UsageError(`--value ${value} is neither yes nor no`);
    const { id } = await findUserByEmail(opened, given.text("email"));
    await setOperator(opened, actor, { userId: id, isOperator: value === "yes" });
    return shown(opened, given);
  },
};

const limits: Command = {
  usage: "--email E --rpm N|none   (default requests per minute of its new keys)",
  options: { email: "string", rpm: "string" },
  async run(opened, given) {
    const requestsPerMinute = given.text("rpm") === "none" ? null : given.whole("rpm");
    const isFair =
      requestsPerMinute === null ||
      (requestsPerMinute !== undefined &&
        requestsPerMinute >= 1 &&
        requestsPerMinute <= REQUESTS_PER_MINUTE_MAX);
    if (!isFair) throw new UsageError(`--rpm must be 1 to ${REQUESTS_PER_MINUTE_MAX}, or none`);
    const { accountId } = await findUserByEmail(opened, given.text("email"));
    await changeKeyDefault(opened, actor, { accountId, requestsPerMinute });
    return shown(opened, given);
  },
};

const signOut: Command = {
  usage: "--email E   (ends all its sessions; its keys keep working)",
  options: { email: "string" },
  async run(opened, given) {
    const { id: userId } = await findUserByEmail(opened, given.text("email"));
    await endAllSessions(opened, actor, { userId });
    return shown(opened, given);
  },
};

const LISTED = 50;

const list: PoolCommand = {
  usage: "[--search TEXT] [--limit N]   (newest first; TEXT: part of an email address)",
  options: { search: "string", limit: "string" },
  async runOnPool(pool, given) {
    const limit = given.whole("limit") ?? LISTED;
    if (limit < 1) throw new UsageError("--limit must be at least 1");
    const users = await findUsers(pool, { emailPart: given.optional("search") ?? "", limit });
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
  options: {},
  async run(opened) {
    const found = await listOperators(opened);
    const list = found.map(({ id, email, accountId, createdAt }) => ({
      id,
      email,
      account: accountId,
      created_at: createdAt.toISOString(),
    }));
    return { json: { operators: list }, text: table(list) };
  },
};

export const accountCommands = {
  create,
  credit,
  list,
  show,
  multiplier,
  retries,
  limits,
  suspend,
  resume,
  "sign-out": signOut,
  operator,
  operators,
};
