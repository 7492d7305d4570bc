/** The commands about operator keys, each with the state it needs. */
import { setOperator } from "@/lib/commands/accounts";
import * as operatorKeys from "@/lib/commands/operator-keys";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { actor, type BrokenOffCommand, commandOn, newUser, prepared } from "./seed";

async function wantedOperatorKey(site: SiteProcess) {
  const { userId } = await newUser(site);
  await setOperator(site.deps, actor, { userId, isOperator: true });
  return { userId, name: "one", scopes: ["points:write"] } as const;
}

export const operatorKeyCommands: readonly BrokenOffCommand[] = [
  commandOn("operator_key.create", wantedOperatorKey, (deps, wanted) =>
    operatorKeys.createOperatorKey(deps, actor, wanted),
  ),
  prepared("operator_key.revoke", async (site) => {
    const wanted = await wantedOperatorKey(site);
    const { key } = await operatorKeys.createOperatorKey(site.deps, actor, wanted);
    return (deps) => operatorKeys.revokeOperatorKey(deps, actor, { id: key.id });
  }),
];
