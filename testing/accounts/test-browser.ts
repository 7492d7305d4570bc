/** A browser over the pages' API, with its cookies: sessions and waiting sign-ins are real. */
import { maySignInFrom } from "@/lib/accounts/operator-addresses";
import { sessionOf } from "@/lib/accounts/session-store";
import { RelayError } from "@/lib/failures/relay-error";
import { type PageHandlers, pageHandlers } from "@/lib/pages-api/page-handlers";
import type { PagesDeps } from "@/lib/pages-api/pages-deps";
import { authOptions, type Outcome } from "@/lib/session/auth-options";
import {
  encodeToken,
  isFactorMissing,
  readPending,
  readSession,
  renewedCookie,
  sessionCookie,
} from "@/lib/session/session-token";

const noHeaders = new Headers();

export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #routes: PageHandlers;

  constructor(
    readonly deps: PagesDeps,
    readonly address = "192.0.2.1",
  ) {
    const session = (how?: { readonly isFresh: boolean }) =>
      readSession(deps, this.cookies.get(sessionCookie(deps).name), how);
    this.#routes = pageHandlers({
      deps: () => deps,
      publicUrl: () => deps.settings.publicUrl,
      currentUser: async (how) => (await session(how))?.user ?? null,
      isOperator: (user) => user.isOperator,
      provesByPassword: (user) => user.hasPassword && !user.hasSecondFactor,
      async assertPlace(_, { userId }, from) {
        if (!(await maySignInFrom(deps, userId, from))) throw new RelayError("address_not_allowed");
      },
      hasRecentProof: async () => deps.sessions.isProved((await session())?.token.sessionId ?? ""),
      currentSessionId: async () => (await session())?.token.sessionId ?? null,
      pendingSignIn: () => readPending(deps, this.cookies.get(sessionCookie(deps).name)),
      isSettingUp: isFactorMissing,
      cookie: async (name) => this.cookies.get(name),
      renewedCookie: (_, user) => renewedCookie(deps, user, noHeaders),
      admit: () => {},
      report: (_, __, error) => {
        throw error;
      },
    });
  }

  #keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === "") this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  get session(): string | undefined {
    return this.cookies.get(sessionCookie(this.deps).name);
  }

  /** As after a right password, a link by mail, or another service's sign-in. */
  async passFirstStep(userId: string): Promise<Outcome> {
    const { deps } = this;
    const outcome: Outcome = {};
    const user = await deps.database.user.findUniqueOrThrow({ where: { id: userId } });
    if (!(await maySignInFrom(deps, userId, this.address))) throw new Error("refused");
    const { callbacks } = authOptions(deps, outcome);
    const { name } = sessionCookie(deps);
    const given = { token: {}, user: { id: userId, email: user.email }, account: null };
    // Only a sign-in that waits needs no request: the other begins a session with its headers.
    const answer = async () => callbacks?.jwt?.(given as never);
    const token = await answer().catch(() => null);
    if (outcome.isPending && token) this.cookies.set(name, await encodeToken(deps, token));
    else this.#keep(await renewedCookie(deps, sessionOf(user), noHeaders));
    return outcome;
  }

  async call(name: keyof PageHandlers, body?: object, id?: string, more?: Record<string, string>) {
    const isGet = /^(show|list)/.test(name);
    const headers = {
      "x-relay-client-address": this.address,
      "content-type": "application/json",
      ...more,
    };
    const request = new Request(`${this.deps.settings.publicUrl}/api/x`, {
      method: isGet ? "GET" : "POST",
      headers,
      body: isGet || body === undefined ? null : JSON.stringify(body),
    });
    const response = await this.#routes[name](request, id);
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    await this.deps.outbox.idle();
    const json = await response.json();
    return { status: response.status, code: json.error?.code ?? "done", json };
  }
}
