import { managedKeyEndpoints } from "../contract/managed-key-endpoints";
import { managedMemberEndpoints } from "../contract/managed-member-endpoints";
import type { Route } from "../http/route-table";
import { type ServeDeps, serve, type UseCase } from "../http/serve";
import { keysOf } from "../values/records";
import { managedKeys } from "./managed-keys";
import { managedMembers } from "./managed-members";
import type { ProgramDeps } from "./use-case";

const managedEndpoints = { ...managedKeyEndpoints, ...managedMemberEndpoints };
type Managed = typeof managedEndpoints;

/** The rows of management keys that have a form of their own. */
export function managedRoutes(serveDeps: ServeDeps, deps: ProgramDeps): Route[] {
  const run: { readonly [Name in keyof Managed]: UseCase<Managed[Name]> } = {
    ...managedKeys(deps),
    ...managedMembers(deps),
  };
  const routeOf = <Name extends keyof Managed>(name: Name): Route => {
    const row = managedEndpoints[name];
    return { row, endpoint: serve<Managed[Name]>(row, serveDeps, run[name]) };
  };
  return keysOf(managedEndpoints).map(routeOf);
}
