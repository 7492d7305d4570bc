import { parseMultiplier } from "../accounts/multipliers";
import * as groups from "../commands/groups";
import type { GroupBody, groupEndpoints } from "../contract/operator-groups";
import { listGroups } from "../queries/groups";
import type { ProgramDeps, UseCases } from "./use-case";

const ppmOf = (multiplier: string | null) =>
  multiplier === null ? null : parseMultiplier(multiplier);

const modelsOf = (given: GroupBody["modelMultipliers"]) =>
  given.map(({ model, multiplier }) => ({ model, multiplierPpm: parseMultiplier(multiplier) }));

export const groupUseCases: UseCases<typeof groupEndpoints, ProgramDeps> = {
  listGroups: async ({ deps }) => ({ groups: await listGroups(deps) }),
  async createGroup({ deps, body: { name, multiplier, models, modelMultipliers }, user }) {
    await groups.createGroup(deps, user.userId, {
      name,
      models,
      multiplierPpm: ppmOf(multiplier),
      modelMultipliers: modelsOf(modelMultipliers),
    });
    return { groups: await listGroups(deps) };
  },
  async changeGroup({ deps, body: { name, multiplier, models, modelMultipliers }, id, user }) {
    await groups.changeGroup(deps, user.userId, {
      id,
      name,
      models,
      multiplierPpm: multiplier === undefined ? undefined : ppmOf(multiplier),
      modelMultipliers: modelMultipliers && modelsOf(modelMultipliers),
    });
    return { groups: await listGroups(deps) };
  },
  async deleteGroup({ deps, id, user }) {
    await groups.deleteGroup(deps, user.userId, { id });
    return { groups: await listGroups(deps) };
  },
};
