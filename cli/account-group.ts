import { changeAccountGroup } from "@/lib/commands/account-group";
import { findGroup } from "@/lib/queries/groups";
import { findUserByEmail } from "@/lib/queries/users";
import { actor, type Command, UsageError } from "./command";

/** The group is found by its name or id. */
export const group: Command = {
  usage: "--email E --group G|--none [--reason R]",
  options: { email: "string", group: "string", none: "boolean", reason: "string" },
  async run(installation, flags) {
    const named = flags.optional("group");
    if ((named === null) !== flags.flag("none"))
      throw new UsageError("--group G or --none is needed, and not both");
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    const found = named === null ? null : await findGroup(installation, named);
    const reason = flags.optional("reason");
    const change = { accountId, groupId: found?.id ?? null, reason };
    await changeAccountGroup(installation, actor, change);
    const name = found?.name ?? null;
    return {
      json: { account: { id: accountId, group: name } },
      text: name === null ? "The account is in no group." : `The account is in the group ${name}.`,
    };
  },
};
