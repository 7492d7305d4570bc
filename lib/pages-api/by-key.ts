/** Serves a row of the pages' API to keys, by the same use case, with the key as the actor. */
import type { UserSession } from "../accounts/session-store";
import type { KeyRow } from "../contract/key-rows";
import type { PageEndpoint, PageResultOf } from "../contract/page-endpoint";
import { fromWire, toWire, wireNames } from "../contract/wire";
import { isRelayError } from "../failures/relay-error";
import { csvHeaders, pdfHeaders } from "../http/csv-response";
import { goneSignal, type Outgoing } from "../http/exchange";
import { namedAsSent } from "../http/named-as-sent";
import type { Route } from "../http/route-table";
import { type Call, type CallOf, jsonTextAnswer, type ServeDeps, serve } from "../http/serve";
import {
  type AdmittedCall,
  type PageCall,
  parseInput,
  runRow,
  shownResult,
} from "../http/serve-page";
import { validateQuery } from "../http/validate";
import type { PagesDeps } from "./pages-deps";
import { programCall, programUser } from "./program-call";

type KeyCall = Pick<Call, "row" | "incoming" | "parameter" | "body" | "headers">;

/** The key acts: its id is the actor in the audit log. */
function actorOf({ principal }: CallOf<KeyRow>): UserSession {
  const { accountId } = principal;
  if (principal.kind === "managementKey")
    return programUser({ id: principal.managementKeyId, accountId, isOperator: false });
  const { operatorKeyId: id, email } = principal;
  return programUser({ id, accountId, email, isOperator: true });
}

/** All keys of an account read in its turn: more keys must not get more of the history lane. */
function inTurnOf(accountId: string, deps: PagesDeps): PagesDeps {
  const { historyReaders } = deps;
  return {
    ...deps,
    historyReaders: { ...historyReaders, of: (_key, gone) => historyReaders.of(accountId, gone) },
  };
}

/** The request as the pages' use cases know it. */
function pageCallOf(
  deps: PagesDeps,
  user: UserSession,
  page: PageEndpoint,
  { row, ...call }: KeyCall,
): AdmittedCall<PagesDeps, UserSession> {
  const { incoming, parameter } = call;
  return programCall({
    deps: inTurnOf(user.accountId, deps),
    user,
    // The body was checked before; this applies what the schema changes.
    body: page.body && parseInput(page.body, fromWire(page.body, call.body)),
    query:
      page.query && fromWire(page.query, validateQuery(row.query ?? page.query, incoming.query)),
    id: parameter,
    address: incoming.address,
    gone: goneSignal(incoming),
  });
}

function outgoingOf(page: PageEndpoint, call: KeyCall, result: unknown): Outgoing {
  const shown = shownResult(page, result, toWire);
  if (typeof shown === "string")
    return { ...jsonTextAnswer(call, shown), status: page.status ?? 200 };
  if ("bytes" in shown)
    return {
      status: 200,
      headers: { ...call.headers, ...pdfHeaders(shown.name) },
      body: shown.bytes,
    };
  return {
    status: 200,
    headers: { ...call.headers, ...csvHeaders(shown.name) },
    body: shown.lines,
  };
}

/** A row of the pages' API with its use case. */
interface PageRow<Page extends PageEndpoint> {
  readonly page: Page;
  run(call: PageCall<PagesDeps, UserSession, Page>): Promise<PageResultOf<Page>>;
}

/** The route by which keys call the row of a page. */
export function routeByKey<Page extends PageEndpoint>(
  row: KeyRow,
  { page, run }: PageRow<Page>,
  { serveDeps, deps }: { readonly serveDeps: ServeDeps; readonly deps: PagesDeps },
): Route {
  const names = wireNames(page.query, wireNames(page.body));
  const endpoint = serve(row, serveDeps, async (call) => {
    try {
      const asked = pageCallOf(deps, actorOf(call), page, call);
      return outgoingOf(page, call, await runRow<PagesDeps, UserSession, Page>(run, asked));
    } catch (error) {
      throw isRelayError(error) ? namedAsSent(error, (field) => names.get(field)) : error;
    }
  });
  return { row, endpoint };
}
