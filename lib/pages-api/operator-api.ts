/** `/v1/admin`: what the operators' pages do, by the same use cases, for operator keys. */
import type { UserSession } from "../accounts/session-store";
import { type OperatorRowName, operatorApi } from "../contract/operator-api";
import {
  isOperatorRowName,
  type OperatorApiRow,
  operatorApiRow,
  operatorDocumentRow,
} from "../contract/operator-api-rows";
import { operatorDocumentText } from "../contract/operator-document";
import type { PageEndpoint } from "../contract/page-endpoint";
import { type PageTable, pageEndpoints } from "../contract/page-endpoints";
import { isOutage } from "../db/database-errors";
import { RelayError } from "../errors";
import { csvHeaders, pdfHeaders } from "../http/csv-response";
import type { Outgoing } from "../http/exchange";
import type { Route } from "../http/route-table";
import { type CallOf, jsonTextAnswer, type ServeDeps, serve } from "../http/serve";
import { type AdmittedCall, runRow, shownResult } from "../http/serve-page";
import { validateQuery } from "../http/validate";
import { useCases } from "./page-handlers";
import type { PagesDeps } from "./pages-deps";

type OperatorCall = CallOf<OperatorApiRow>;

/** The key acts: its id is the actor in the audit log. It has no session. */
const actorOf = ({ operatorKeyId, accountId, email }: OperatorCall["principal"]): UserSession => ({
  userId: operatorKeyId,
  accountId,
  role: "owner",
  ownAccountId: accountId,
  email,
  name: null,
  isOperator: true,
  hasPassword: false,
  hasSecondFactor: false,
  sessionVersion: 0,
});

function signalOf({ incoming }: OperatorCall): AbortSignal {
  const left = new AbortController();
  incoming.onGone(() => left.abort());
  return left.signal;
}

const noSession = () => Promise.reject(new RelayError("key_kind_not_allowed"));

/** The request as the pages' use cases know it. */
function pageCallOf(
  deps: PagesDeps,
  { body: bodySchema, query }: PageEndpoint,
  call: OperatorCall,
): AdmittedCall<PagesDeps, UserSession> {
  const { principal, incoming, parameter } = call;
  return {
    deps,
    user: actorOf(principal),
    // The body was checked before; this applies what the schema changes.
    body: bodySchema?.parse(call.body),
    query: query && validateQuery(query, incoming.query),
    id: parameter,
    address: incoming.address,
    gone: signalOf(call),
    locale: "en",
    sessionId: () => Promise.resolve(null),
    renewSession: noSession,
    pendingSignIn: () => Promise.resolve(null),
    cookie: () => Promise.resolve(undefined),
    sendCookie: () => {},
  };
}

function outgoingOf(page: PageEndpoint, call: OperatorCall, result: unknown): Outgoing {
  const shown = shownResult(page, result);
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

function routeOf<Name extends OperatorRowName>(
  name: Name,
  serveDeps: ServeDeps,
  deps: PagesDeps,
): Route[] {
  const row = operatorApiRow(name);
  if (row === null) return [];
  const page = pageEndpoints[name];
  const endpoint = serve(row, serveDeps, async (call) => {
    try {
      const asked = pageCallOf(deps, page, call);
      return outgoingOf(
        page,
        call,
        await runRow<PagesDeps, UserSession, PageTable[Name]>(useCases[name], asked),
      );
    } catch (error) {
      throw isOutage(error) ? new RelayError("database_unavailable", { cause: error }) : error;
    }
  });
  return [{ row, endpoint }];
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
