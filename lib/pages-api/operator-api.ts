/** `/v1/admin`: what the operators' pages do, by the same use cases, for operator keys. */
import { operatorDocumentText } from "../contract/key-documents";
import { type OperatorRowName, operatorApi, settingScopes } from "../contract/operator-api";
import {
  isOperatorRowName,
  type OperatorApiRow,
  operatorApiRow,
  operatorDocumentRow,
} from "../contract/operator-api-rows";
import { type PageTable, pageEndpoints } from "../contract/page-endpoints";
import { assertScope } from "../http/assert-admitted";
import type { Route } from "../http/route-table";
import { type CallOf, jsonTextAnswer, type ServeDeps, serve } from "../http/serve";
import { keyActor, routeByKey } from "./by-key";
import { useCases } from "./page-handlers";
import type { PagesDeps } from "./pages-deps";

/** The key acts: its id is the actor in the audit log. */
const actorOf = ({ principal }: CallOf<OperatorApiRow>) => ({
  ...keyActor(principal.operatorKeyId, principal.accountId, principal.email),
  isOperator: true,
});

/** A setting is what its scope names: who has access and what is given away need their own. */
function settingActorOf(call: CallOf<OperatorApiRow>) {
  const { name } = pageEndpoints.setLiveSetting.body.parse(call.body);
  assertScope(call.row, call.principal, settingScopes[name]);
  return actorOf(call);
}

function routeOf<Name extends OperatorRowName>(
  name: Name,
  serveDeps: ServeDeps,
  deps: PagesDeps,
): Route[] {
  const row = operatorApiRow(name);
  if (row === null) return [];
  const served = { page: pageEndpoints[name], run: useCases[name] };
  const actor = name === "setLiveSetting" ? settingActorOf : actorOf;
  return [routeByKey<OperatorApiRow, PageTable[Name]>(row, served, { serveDeps, deps }, actor)];
}

/** The routes of every row that operator keys may call, and their document. */
export function operatorRoutes(serveDeps: ServeDeps, deps: PagesDeps): Route[] {
  const names = Object.keys(operatorApi).filter(isOperatorRowName);
  const document = serve(operatorDocumentRow, serveDeps, (call) =>
    jsonTextAnswer(call, operatorDocumentText()),
  );
  return [
    ...names.flatMap((name) => routeOf(name, serveDeps, deps)),
    { row: operatorDocumentRow, endpoint: document },
  ];
}
