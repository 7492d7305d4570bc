import type { importEndpoints } from "../contract/operator-imports";
import { listMovedSources } from "../queries/moved";
import type { UseCases } from "./use-case";

export const importUseCases: UseCases<typeof importEndpoints> = {
  listImports: async ({ deps }) => ({ imports: await listMovedSources(deps.pool) }),
};
