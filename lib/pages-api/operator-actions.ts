import type { actionEndpoints } from "../contract/operator-actions";
import { actionsCsv, checkChain, listActions } from "../queries/actions";
import type { UseCases } from "./use-case";

export const actionUseCases: UseCases<typeof actionEndpoints> = {
  listActions: ({ deps, query }) => listActions(deps, query),
  async downloadActions({ deps, query }) {
    const today = new Date().toISOString().slice(0, 10);
    return { name: `relay-actions-${today}.csv`, lines: actionsCsv(deps, query) };
  },
  checkChain: ({ deps }) => checkChain(deps),
};
