/** Commands about how a user signs in, and the end of an account. */
import { changeAccount } from "@/lib/commands/accounts";
import { changeEmail } from "@/lib/commands/change-email";
import { closeAccount } from "@/lib/commands/close-account";
import { removeIdentity } from "@/lib/commands/identities";
import { nameAccount } from "@/lib/commands/members";
import { setPassword } from "@/lib/commands/recovery";
import { resetSecondFactor } from "@/lib/commands/second-factor";
import { CONTENT_DAYS_MAX } from "@/lib/contract/limits";
import { pointsNumber } from "@/lib/money/points";
import { listIdentities } from "@/lib/queries/identities";
import { findUserByEmail } from "@/lib/queries/users";
import { ACCOUNT, accountNamed } from "./account-option";
import { actor, type Command, type Flags, UsageError } from "./command";
import { secondFactorOf } from "./second-factor";
import { table } from "./table";
import { emailOf, nameOf, passwordOf } from "./user-flags";

const email: Command = {
  usage: "--email E --to NEW   (the user signs in with NEW from now on; NEW counts as unverified)",
  async run(installation, flags) {
    const to = emailOf(flags, "to");
    const { id: userId } = await findUserByEmail(installation, flags.text("email"));
    await changeEmail(installation, actor, { userId, email: to });
    return { json: { email: to }, text: `The user signs in with ${to}.` };
  },
};

const password: Command = {
  usage:
    "--email E [--password - | --password-stdin]   (sets a new password and ends all sessions; it comes from standard input or RELAY_PASSWORD)",
  async run(installation, flags) {
    const newPassword = await passwordOf(flags);
    const { id: userId } = await findUserByEmail(installation, flags.text("email"));
    await setPassword(installation, actor, { userId, newPassword });
    const services = (await listIdentities(installation, userId)).map(({ service }) => service);
    const left = services.length === 0 ? "" : ` ${services.join(", ")} still signs in.`;
    return {
      json: { changed: true, services },
      text: `The password is set, and all sessions have ended.${left}`,
    };
  },
};

const secondFactor: Command = {
  usage:
    "--email E [--reset]   (what the user has set up; --reset removes all of it and ends all sessions)",
  async run(installation, flags) {
    const { id: userId } = await findUserByEmail(installation, flags.text("email"));
    if (flags.flag("reset")) await resetSecondFactor(installation, actor, { userId });
    const factors = await secondFactorOf(installation, userId);
    return { json: factors, text: table([factors]) };
  },
};

const identity: Command = {
  usage:
    "--email E [--remove ID]   (the other services through which the user signs in; --remove ends one, and all sessions)",
  async run(installation, flags) {
    const { id: userId } = await findUserByEmail(installation, flags.text("email"));
    const id = flags.optional("remove");
    const hasMail = installation.settings.SMTP_URL !== undefined;
    if (id !== null) await removeIdentity(installation, actor, { userId, id, hasMail });
    const found = await listIdentities(installation, userId);
    const identities = found.map(({ id, service, subject, createdAt }) => ({
      id,
      service,
      subject,
      created_at: createdAt,
    }));
    return { json: { identities }, text: table(identities) };
  },
};

function assertSame(flags: Flags): void {
  if (flags.text("confirm") !== flags.text("email"))
    throw new UsageError("--confirm must repeat the address of --email");
}

const close: Command = {
  usage:
    "--email E --confirm E   (deletes the account for good and erases its people; the ledger's records stay)",
  async run(installation, flags) {
    assertSame(flags);
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    await closeAccount(installation, actor, { accountId });
    return {
      json: { account: { id: accountId, status: "closed" } },
      text: `${accountId} is closed.`,
    };
  },
};

const name: Command = {
  usage: `--name N|none ${ACCOUNT}`,
  async run(installation, flags) {
    const given = nameOf(flags.text("name"));
    const named = given === "none" ? null : given;
    const accountId = await accountNamed(installation, flags);
    await nameAccount(installation, actor, { accountId, name: named });
    const text = named === null ? `${accountId} has no name.` : `${accountId} is named ${named}.`;
    return { json: { name: named }, text };
  },
};

const content: Command = {
  usage: `--days 1…30|none ${ACCOUNT}; for how long what its texts ask and are answered is kept, encrypted; none removes what is kept`,
  async run(installation, flags) {
    const text = flags.text("days");
    const days = text === "none" ? null : Number(text);
    if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= CONTENT_DAYS_MAX))
      throw new UsageError(`--days must be none, or a whole number from 1 to ${CONTENT_DAYS_MAX}`);
    const accountId = await accountNamed(installation, flags);
    await changeAccount(installation, actor, { accountId, contentDays: days });
    return {
      json: { content_days: days },
      text: days === null ? "Nothing is kept." : `Contents are kept for ${days} days.`,
    };
  },
};

const notice: Command = {
  usage: `--points N|none ${ACCOUNT}; its people are told when the balance falls below N`,
  async run(installation, flags) {
    const points = flags.text("points") === "none" ? null : flags.pointsNotNegative("points");
    if (points === 0n) throw new UsageError("--points must be above zero, or none");
    const accountId = await accountNamed(installation, flags);
    await changeAccount(installation, actor, { accountId, lowBalanceNotice: points });
    const shown = points === null ? null : pointsNumber(points);
    return {
      json: { low_balance_notice: shown },
      text: shown === null ? "There is no notice." : `The notice comes below ${shown} points.`,
    };
  },
};

export const accessCommands = {
  name,
  notice,
  content,
  email,
  password,
  "second-factor": secondFactor,
  identity,
  close,
};
