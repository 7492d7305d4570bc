/** Serves a row of the pages' API to keys, by the same use case, with the key as the actor. */
import type { z } from "zod";
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
import { type PageCall, parseInput, runRow, shownResult } from "../http/serve-page";
import { queryTexts } from "../http/validate";
import type { PagesDeps } from "./pages-deps";
import { programCall, programUser } from "./program-call";

/** The key acts: its id is the actor in the audit log. */
function actorOf({ principal }: CallOf<KeyRow>): UserSession {
  const { accountId } = principal;
  if (principal.kind === "managementKey") {
    const { managementKeyId: id, scopes } = principal;
    const hidesMembers = !scopes.includes("members:read");
    return programUser({ id, accountId, hidesMembers, isOperator: false });
  }
  const { operatorKeyId: id, email } = principal;
  return programUser({ id, accountId, email, isOperator: true });
}

/** All keys of an account read in its turn: more keys must not get more of the history readers. */
function inTurnOf(accountId: string, deps: PagesDeps): PagesDeps {
  const { historyReaders } = deps;
  return {
    ...deps,
    historyReaders: { ...historyReaders, of: (_key, gone) => historyReaders.of(accountId, gone) },
  };
}

/** A row of the pages' API with its use case. */
interface PageRow<Page extends PageEndpoint, Deps> {
  readonly page: Page;
  run(call: PageCall<Deps, UserSession, Page>): Promise<PageResultOf<Page>>;
}

interface Asked<Deps> extends Pick<Call, "incoming" | "parameter"> {
  readonly deps: Deps;
  readonly user: UserSession;
  readonly body: unknown;
  readonly query?: z.ZodObject | undefined;
}

/**
 * Does what a page's row does. Body and query are in the convention of `/v1`, and so are the names
 * with which it rejects.
 */
export async function runByKey<Page extends PageEndpoint, Deps>(
  { page: row, run }: PageRow<Page, Deps>,
  { deps, user, incoming, parameter, body, query }: Asked<Deps>,
): Promise<PageResultOf<Page>> {
  const page: PageEndpoint = row;
  try {
    const texts = query && queryTexts(query, incoming.query);
    const call = programCall({
      deps,
      user,
      // Checked under the names of `/v1` before. The page's schema also checks members together, and sets defaults.
      body: page.body && parseInput(page.body, fromWire(page.body, body)),
      query: page.query && parseInput(page.query, fromWire(page.query, texts)),
      id: parameter,
      address: incoming.address,
      gone: goneSignal(incoming),
    });
    return await runRow<Deps, UserSession, Page>(run, call);
  } catch (error) {
    if (!isRelayError(error)) throw error;
    const names = wireNames(page.query, wireNames(page.body));
    throw namedAsSent(error, (field) => names.get(field));
  }
}

function outgoingOf(page: PageEndpoint, call: Pick<Call, "headers">, result: unknown): Outgoing {
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

/** The route by which keys call the row of a page. */
export function routeByKey<Page extends PageEndpoint>(
  row: KeyRow,
  pageRow: PageRow<Page, PagesDeps>,
  { serveDeps, deps }: { readonly serveDeps: ServeDeps; readonly deps: PagesDeps },
): Route {
  const endpoint = serve(row, serveDeps, async (call) => {
    const user = actorOf(call);
    const { incoming, parameter, body } = call;
    const asked = { incoming, parameter, body, user, query: row.query };
    const result = await runByKey(pageRow, { ...asked, deps: inTurnOf(user.accountId, deps) });
    return outgoingOf(pageRow.page, call, result);
  });
  return { row, endpoint };
}
