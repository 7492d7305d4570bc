/** The commands about groups, each with the state it needs. */
import { changeAccountGroup } from "@/lib/commands/account-group";
import * as groups from "@/lib/commands/groups";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { actor, type BrokenOffCommand, commandOn, newUser, nextNumber, prepared } from "./seed";

const groupTerms = () => ({
  name: `Group ${nextNumber()}`,
  multiplierPpm: 850_000,
  models: ["RelayV1"],
  modelMultipliers: [{ model: "RelayV1", multiplierPpm: 500_000 }],
});
const newGroup = (site: SiteProcess) => groups.createGroup(site.deps, actor, groupTerms());

export const groupCommands: readonly BrokenOffCommand[] = [
  prepared("account.group", async (site) => {
    const { accountId } = await newUser(site);
    const { id: groupId } = await newGroup(site);
    return (deps) => changeAccountGroup(deps, actor, { accountId, groupId, reason: "Partner" });
  }),
  {
    action: "group.create",
    prepare: async () => (deps) => groups.createGroup(deps, actor, groupTerms()),
  },
  commandOn("group.change", newGroup, (deps, { id }) =>
    groups.changeGroup(deps, actor, { ...groupTerms(), id }),
  ),
  commandOn("group.delete", newGroup, (deps, { id }) => groups.deleteGroup(deps, actor, { id })),
];
