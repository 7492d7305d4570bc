import { parseMultiplier } from "../accounts/multipliers";
import * as groups from "../commands/groups";
import type { GroupBody, groupEndpoints } from "../contract/operator-groups";
import { listGroups } from "../queries/groups";
import type { UseCases } from "./use-case";

const termsOf = ({ multiplier, modelMultipliers, ...terms }: GroupBody) => ({
  ...terms,
  multiplierPpm: multiplier === null ? null : parseMultiplier(multiplier),
  modelMultipliers: modelMultipliers.map((each) => ({
    model: each.model,
    multiplierPpm: parseMultiplier(each.multiplier),
  })),
});

export const groupUseCases: UseCases<typeof groupEndpoints> = {
  listGroups: async ({ deps }) => ({ groups: await listGroups(deps) }),
  async createGroup({ deps, body, user }) {
    await groups.createGroup(deps, user.userId, termsOf(body));
    return { groups: await listGroups(deps) };
  },
  async changeGroup({ deps, body, id, user }) {
    await groups.changeGroup(deps, user.userId, { id, ...termsOf(body) });
    return { groups: await listGroups(deps) };
  },
  async deleteGroup({ deps, id, user }) {
    await groups.deleteGroup(deps, user.userId, { id });
    return { groups: await listGroups(deps) };
  },
};
