import { openIncident, updateIncident } from "../commands/incidents";
import type { incidentEndpoints } from "../contract/operator-incidents";
import { showIncidents } from "../queries/incidents";
import type { ProgramDeps, UseCases } from "./use-case";

export const incidentUseCases: UseCases<typeof incidentEndpoints, ProgramDeps> = {
  listIncidents: ({ deps }) => showIncidents(deps),
  async openIncident({ deps, body, user }) {
    const beganAt = body.beganAt === null ? null : new Date(body.beganAt);
    await openIncident(deps, user.userId, { ...body, beganAt });
    return showIncidents(deps);
  },
  async updateIncident({ deps, body, id, user }) {
    await updateIncident(deps, user.userId, { ...body, id });
    return showIncidents(deps);
  },
};
