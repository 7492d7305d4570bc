/** What a person gets mails about. */
import { chooseNotifications } from "@/lib/commands/notifications";
import { notificationEndpoints } from "@/lib/contract/notifications";
import { notificationKinds } from "@/lib/contract/states";
import { notificationChoices } from "@/lib/queries/notification-choices";
import { findUserByEmail } from "@/lib/queries/users";
import { allowedWords } from "./allowed-words";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

/** The user and the account that is the user's own. */
async function personNamed(installation: OpenInstallation, flags: Flags) {
  const user = await findUserByEmail(installation, flags.text("email"));
  const { id: userId, accountId, isOperator } = user;
  return { userId, accountId, isOperator };
}

const show: Command = {
  usage: "--email E",
  async run(installation, flags) {
    const choices = await notificationChoices(installation, await personNamed(installation, flags));
    const { mail, lowBalanceDays, kinds } = choices;
    const rows = kinds.map(({ kind, byMail }) => ({ kind, by_mail: byMail }));
    return {
      json: { mail, low_balance_days: lowBalanceDays, kinds: rows },
      text: `${table(rows)}\n\nmail: ${mail}; low balance: ${lowBalanceDays ?? "no"} days`,
    };
  },
};

const mailsIn = (flags: Flags, option: "mail" | "no-mail", byMail: boolean) =>
  (allowedWords(flags, option, notificationKinds) ?? []).map((kind) => ({ kind, byMail }));

function daysIn(flags: Flags): number | null | undefined {
  return flags.optional("low-days") === "none" ? null : flags.whole("low-days");
}

const choose: Command = {
  usage:
    "--email E [--mail KIND,…] [--no-mail KIND,…] [--low-days N|none]   (the days for which a balance should last)",
  async run(installation, flags) {
    const mails = [...mailsIn(flags, "mail", true), ...mailsIn(flags, "no-mail", false)];
    const wanted = { ...(mails.length > 0 && { mails }), lowBalanceDays: daysIn(flags) };
    const { error } = notificationEndpoints.chooseNotifications.body.safeParse(wanted);
    if (error) throw new UsageError(error.issues[0]?.message ?? "not valid");
    const person = await personNamed(installation, flags);
    await chooseNotifications(installation, actor, { ...person, ...wanted });
    return show.run(installation, flags);
  },
};

export const notificationCommands = { show, choose } satisfies Record<string, Command>;
