import type { Route } from "@/lib/http/route-table";
import type { ServeDeps } from "@/lib/http/serve";
import { managedRoutes } from "@/lib/pages-api/managed-routes";
import { type ProgramDeps, programParts } from "@/lib/pages-api/use-case";
import { readSettings } from "@/lib/settings/settings";

/** The routes of `/v1/keys` and `/v1/members`, with the settings of a new installation. */
export const keyRoutesOf = (
  deps: ServeDeps & { readonly publicUrl: string },
  open: Pick<ProgramDeps, "database" | "pool" | "ledger" | "secrets">,
): Route[] =>
  managedRoutes(deps, {
    ...programParts,
    ...open,
    settings: readSettings({ PUBLIC_URL: deps.publicUrl }),
    live: { value: () => "", environment: {} },
    historyReaders: { of: () => open.pool },
    archive: { find: async () => null },
  });
