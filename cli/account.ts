import { recordAction } from "@/lib/accounts/actions";
import { cleanEmail, createAccount } from "@/lib/accounts/create-account";
import { formatMultiplier, parseMultiplier, setMultiplier } from "@/lib/accounts/multipliers";
import { hashPassword } from "@/lib/accounts/password";
import { welcomePoints } from "@/lib/accounts/sign-up";
import { RelayError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { pointsNumber } from "@/lib/points";
import { type Command, UsageError } from "./command";
import type { Opened } from "./open";
import { table } from "./table";

export async function findUser({ database }: Opened, email: string) {
  const user = await database.user.findUnique({
    where: { email: cleanEmail(email) },
    include: { account: { include: { modelMultipliers: true } } },
  });
  if (user === null) throw new RelayError("not_found", { message: `There is no account of ${cleanEmail(email)}.` });
  return user;
}

async function showAccount(opened: Opened, email: string) {
  const { accountId, isOperator, account, ...user } = await findUser(opened, email);
  const { available, held } = await opened.ledger.balance(accountId);
  return {
    id: accountId,
    email: user.email,
    operator: isOperator,
    available_points: pointsNumber(available),
    held_points: pointsNumber(held),
    multiplier: Number(formatMultiplier(account.multiplierPpm)),
    model_multipliers: Object.fromEntries(account.modelMultipliers.map((own) => [own.model, Number(formatMultiplier(own.multiplierPpm))])),
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
  usage: "--email E --password P [--operator] [--points N]",
  options: { email: "string", password: "string", operator: "boolean", points: "string" },
  async run(opened, given) {
    const email = given.text("email");
    const password = given.text("password");
    if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw new UsageError(`--email ${email} is not an email address`);
    if (password.length < 8 || password.length > 200) throw new UsageError("--password must have 8 to 200 characters");
    const { database, ledger, settings } = opened;
    const { accountId } = await createAccount(database, ledger, {
      email,
      passwordHash: await hashPassword(password),
      name: null,
      isOperator: given.flag("operator"),
      welcomePoints: given.pointsNotNegative("points") ?? welcomePoints(settings),
    });
    await recordAction(database, {
      actor: "cli",
      action: "account.create",
      subject: accountId,
      detail: { operator: given.flag("operator") },
    });
    const account = await showAccount(opened, email);
    return { json: { account }, text: accountText(account) };
  },
};

const credit: Command = {
  usage: "--email E --points N --reason R   (N up to six decimals; negative takes away)",
  options: { email: "string", points: "string", reason: "string" },
  async run(opened, given) {
    const reason = given.text("reason");
    const amount = given.points("points");
    if (amount === null || amount === 0n) throw new UsageError("--points must be a number other than 0");
    const { accountId } = await findUser(opened, given.text("email"));
    const result = await opened.ledger.credit({
      accountId,
      kind: amount > 0n ? "adjust_up" : "adjust_down",
      ref: newId("request"),
      amount: amount < 0n ? -amount : amount,
      reason,
      actor: "cli",
    });
    if (result.result === "insufficient") {
      throw new RelayError("insufficient_points", { message: `Only ${pointsNumber(result.available)} points are available to take away.` });
    }
    await recordAction(opened.database, {
      actor: "cli",
      action: "account.credit",
      subject: accountId,
      detail: { entry: result.entryId, reason },
    });
    const account = await showAccount(opened, given.text("email"));
    return { json: { account, entry: { id: result.entryId, points: pointsNumber(amount) } }, text: accountText(account) };
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
  usage: "--email E --value 1.25 [--model M]",
  options: { email: "string", value: "string", model: "string" },
  async run(opened, given) {
    const value = given.text("value");
    const model = given.optional("model");
    const { accountId } = await findUser(opened, given.text("email"));
    await setMultiplier(opened.database, { accountId, model, multiplierPpm: parseMultiplier(value) });
    await recordAction(opened.database, { actor: "cli", action: "account.multiplier", subject: accountId, detail: { model, value } });
    const account = await showAccount(opened, given.text("email"));
    return { json: { account }, text: accountText(account) };
  },
};

export const accountCommands = { create, credit, show, multiplier };
