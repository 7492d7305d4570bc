/** An operator in a separate process, for tests of the operators' addresses. */
import { sessionOf, type UserSession } from "@/lib/accounts/session-store";
import type { PageHandler } from "@/lib/http/serve-page";
import type { PagesHost } from "@/lib/pages-api/use-case";
import { newUserOf } from "@/testing/pages-api/new-user";
import { type SiteProcess, startSiteProcess } from "@/testing/pages-api/site-process";
import { pagesHostOf } from "./pages-host";

interface HandlerInput {
  readonly body?: object;
  readonly id?: string;
  readonly search?: string;
  readonly method?: string;
}

export interface OperatorProcess {
  readonly site: SiteProcess;
  readonly host: PagesHost;
  readonly operator: UserSession;
  /** The calling session, and whether the password was entered recently. */
  readonly session: { current: UserSession | null; isProved: boolean };
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  call(handler: PageHandler, input?: HandlerInput): Promise<{ status: number; json: any }>;
}

export async function startOperatorProcess(): Promise<OperatorProcess> {
  const site = await startSiteProcess();
  const session: OperatorProcess["session"] = { current: null, isProved: true };
  const host = pagesHostOf({
    deps: () => site.deps,
    currentUser: async () => session.current,
    hasRecentProof: async () => session.isProved,
    currentSessionId: async () => "session",
    renewedCookie: async () => "relay-session=renewed",
  });
  const { userId } = await newUserOf(site.deps, "op@example.com", "192.0.2.1");
  const operator = sessionOf(
    await site.deps.database.user.update({ where: { id: userId }, data: { isOperator: true } }),
  );
  session.current = operator;
  return {
    site,
    host,
    operator,
    session,
    async call(handler, { body, id, search = "", method = body ? "POST" : "GET" } = {}) {
      const headers = { "content-type": "application/json", origin: "http://localhost:3000" };
      const request = new Request(`http://localhost:3000/api/admin${search}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
      });
      const response = await handler(request, id);
      return { status: response.status, json: await response.json() };
    },
  };
}
