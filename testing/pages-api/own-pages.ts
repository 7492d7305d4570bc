/** The pages' API in a process of its own, called as by a new user's browser. */
import { sessionOf, type UserSession } from "@/lib/accounts/session-store";
import { type PageHandlers, pageHandlers } from "@/lib/pages-api/page-handlers";
import type { PagesDeps } from "@/lib/pages-api/pages-deps";
import { newUserOf } from "./new-user";
import { pagesHostOf } from "./pages-host";
import { type SiteProcess, startSiteProcess } from "./site-process";

export type PageRoute = keyof PageHandlers;

interface PageRequestParts {
  readonly method?: string;
  readonly body?: unknown;
  readonly id?: string | undefined;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

export class OwnPages {
  /** The user of every request; null for a visitor. */
  user: UserSession | null = null;
  /** The errors reported to the operator since the last `signInNew`. */
  problems: string[] = [];
  readonly routes: PageHandlers;
  #users = 0;

  private constructor(readonly site: SiteProcess) {
    this.routes = this.routesOver(() => site.deps);
  }

  static async open(): Promise<OwnPages> {
    return new OwnPages(await startSiteProcess());
  }

  /** The same pages with other dependencies. */
  routesOver(deps: () => PagesDeps): PageHandlers {
    return pageHandlers(
      pagesHostOf({
        deps,
        currentUser: async () => this.user,
        renewedCookie: async () => "relay-session=renewed",
        report: (_, __, error) => this.problems.push(String(error.cause ?? error.message)),
      }),
    );
  }

  /** Creates a new user and signs in as this user. */
  async signInNew(): Promise<void> {
    const number = ++this.#users;
    const { deps } = this.site;
    const { userId } = await newUserOf(deps, `p${number}@example.com`, `192.0.2.${number}`);
    const { user } = deps.database;
    this.user = sessionOf(await user.findUniqueOrThrow({ where: { id: userId } }));
    this.problems = [];
  }

  /** The same with a verified address. */
  async signInVerified(): Promise<UserSession> {
    await this.signInNew();
    if (this.user === null) throw new Error("no user is signed in");
    const where = { id: this.user.userId };
    await this.site.deps.database.user.update({ where, data: { emailVerifiedAt: new Date() } });
    return this.user;
  }

  async call(
    name: PageRoute,
    { method, body, id, query = "", headers = {} }: PageRequestParts = {},
  ) {
    const isGet = /^(show|list)/.test(name);
    const request = new Request(`http://localhost:3000/api/x${query}`, {
      method: method ?? (isGet ? "GET" : "POST"),
      headers: { "content-type": "application/json", origin: "http://localhost:3000", ...headers },
      body: isGet || body === undefined ? null : JSON.stringify(body),
    });
    const response = await this.routes[name](request, id);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  }

  /** The JSON of the answer, by other dependencies. */
  async ask(name: PageRoute, parts: PageRequestParts, by: PageHandlers) {
    const own = Object.create(this, { routes: { value: by } });
    return (await OwnPages.prototype.call.call(own, name, parts)).json;
  }

  async newKey(body: object = {}) {
    return (await this.call("createKey", { body: { name: "test", ...body } })).json;
  }

  close(): Promise<void> {
    return this.site.close();
  }
}
