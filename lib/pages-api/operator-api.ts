/** `/v1/admin`: what the operators' pages do, by the same use cases, for operator keys. */
import { operatorDocumentText } from "../contract/key-documents";
import { type OperatorRowName, operatorApi } from "../contract/operator-api";
import {
  isOperatorRowName,
  type OperatorApiRow,
  operatorApiRow,
  operatorDocumentRow,
} from "../contract/operator-api-rows";
import { type PageTable, pageEndpoints } from "../contract/page-endpoints";
import type { Route } from "../http/route-table";
import { type CallOf, jsonTextAnswer, type ServeDeps, serve } from "../http/serve";
import { keyActor, routeByKey } from "./by-key";
import { useCases } from "./page-handlers";
import type { PagesDeps } from "./pages-deps";

type Principal = CallOf<OperatorApiRow>["principal"];

/** The key acts: its id is the actor in the audit log. */
const actorOf = ({ operatorKeyId, accountId, email }: Principal) => ({
  ...keyActor(operatorKeyId, accountId, email),
  isOperator: true,
});

function routeOf<Name extends OperatorRowName>(
  name: Name,
  serveDeps: ServeDeps,
  deps: PagesDeps,
): Route[] {
  const row = operatorApiRow(name);
  if (row === null) return [];
  const served = { page: pageEndpoints[name], run: useCases[name] };
  return [routeByKey<OperatorApiRow, PageTable[Name]>(row, served, { serveDeps, deps }, actorOf)];
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
