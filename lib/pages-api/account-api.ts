/** `/v1/account`: what the pages of an account do, by the same use cases, for management keys. */
import { type AccountRowName, accountApi } from "../contract/account-api";
import {
  type AccountApiRow,
  accountApiRow,
  accountDocumentRow,
  isAccountRowName,
} from "../contract/account-api-rows";
import { accountDocumentText } from "../contract/key-documents";
import { type PageTable, pageEndpoints } from "../contract/page-endpoints";
import type { Route } from "../http/route-table";
import { type CallOf, jsonTextAnswer, type ServeDeps, serve } from "../http/serve";
import { keyActor, routeByKey } from "./by-key";
import { useCases } from "./page-handlers";
import type { PagesDeps } from "./pages-deps";

/** The key acts: its id is the actor in the audit log. It has no address to mail to. */
const actorOf = ({ principal: { managementKeyId, accountId } }: CallOf<AccountApiRow>) =>
  keyActor(managementKeyId, accountId, "");

function routeOf<Name extends AccountRowName>(
  name: Name,
  serveDeps: ServeDeps,
  deps: PagesDeps,
): Route[] {
  const row = accountApiRow(name);
  if (row === null) return [];
  const served = { page: pageEndpoints[name], run: useCases[name] };
  return [routeByKey<AccountApiRow, PageTable[Name]>(row, served, { serveDeps, deps }, actorOf)];
}

/** The routes of every row that management keys may call, and their document. */
export function accountRoutes(serveDeps: ServeDeps, deps: PagesDeps): Route[] {
  const names = Object.keys(accountApi).filter(isAccountRowName);
  const document = serve(accountDocumentRow, serveDeps, (call) =>
    jsonTextAnswer(call, accountDocumentText()),
  );
  return [
    ...names.flatMap((name) => routeOf(name, serveDeps, deps)),
    { row: accountDocumentRow, endpoint: document },
  ];
}
