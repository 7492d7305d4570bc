/**
 * Public pages as bytes for some moments: what everybody may read is rendered once, however many
 * ask. A page for somebody who is signed in, or whose browser remembers anything but the language,
 * is rendered for that request.
 */
import type { IncomingMessage } from "node:http";
import { chosenLocale, LOCALE_COOKIE } from "@/messages/locales";
import { type KeptPage, keptPage } from "./kept-page";
import { type AnswerPage, renderPage } from "./rendered";
import type { Target } from "./request-target";

/** Which page, in which language. */
export interface PageName {
  readonly url: string;
  readonly locale: string;
}

interface Entry {
  readonly page: KeptPage;
  readonly until: number;
}

/** How old a page may be. */
const KEPT_MS_MIN = 1000;
const KEPT_MS_MAX = 5000;
/** Where rendering takes long, a page is kept so many times longer than that. */
const KEPT_RENDERS = 10;
const PAGES_MAX = 128;
const BYTES_MAX = 32 * 1024 * 1024;
const QUERY_MAX = 200;

const files = ["llms.txt", "manifest.webmanifest", "robots.txt", "sitemap.xml", "status/feed.atom"];
const single = ["", "docs", "forgot", "login", "models", "pricing", "signup", "status", ...files];
const paths = new Set(single.map((name) => `/${name}`));
const below = ["/docs/", "/legal/", "/models/"];

/** What makes a page one request's own: the part of a page, or an invitation, which works once. */
const own = /(?:^|&)(?:_rsc|invite)=/;

const isPublicPage = (path: string) =>
  paths.has(path) || below.some((start) => path.startsWith(start));

/** The page that a request asks for; null where the answer may depend on who asks. */
export function pageNameOf(request: IncomingMessage, { path, query }: Target): PageName | null {
  const { cookie = "", rsc, authorization } = request.headers;
  // While pages are written, each look shows them as they are.
  if (process.env.NODE_ENV === "development") return null;
  if (request.method !== "GET" || !isPublicPage(path) || query.length > QUERY_MAX) return null;
  if (rsc !== undefined || authorization !== undefined || own.test(query)) return null;
  const named = `${LOCALE_COOKIE}=`;
  if (cookie !== "" && (!cookie.startsWith(named) || cookie.includes(";"))) return null;
  const chosen = cookie === "" ? undefined : cookie.slice(named.length);
  const locale = chosenLocale(chosen, request.headers["accept-language"] ?? null);
  return { url: query === "" ? path : `${path}?${query}`, locale };
}

const keyOf = ({ url, locale }: PageName) => `${locale} ${url}`;

export class PublicPages {
  /** By language and address; the oldest stands first. */
  readonly #pages = new Map<string, Entry>();
  #bytes = 0;

  constructor(
    readonly answerPage: AnswerPage,
    readonly now: () => number = () => performance.now(),
  ) {}

  find(name: PageName): KeptPage | undefined {
    const key = keyOf(name);
    const entry = this.#pages.get(key);
    if (entry === undefined || entry.until > this.now()) return entry?.page;
    this.#drop(key, entry);
    return undefined;
  }

  async render(name: PageName): Promise<KeptPage> {
    const startedAt = this.now();
    const page = keptPage(await renderPage(this.answerPage, name.url, name.locale));
    if (page.isForAll) this.#keep(keyOf(name), page, startedAt);
    return page;
  }

  #keep(key: string, page: KeptPage, startedAt: number): void {
    const wanted = KEPT_RENDERS * (this.now() - startedAt);
    const until = startedAt + Math.min(KEPT_MS_MAX, Math.max(KEPT_MS_MIN, wanted));
    const before = this.#pages.get(key);
    if (before) this.#drop(key, before);
    this.#pages.set(key, { page, until });
    this.#bytes += page.bytes;
    for (const [first, entry] of this.#pages) {
      if (this.#pages.size <= PAGES_MAX && this.#bytes <= BYTES_MAX) break;
      this.#drop(first, entry);
    }
  }

  #drop(key: string, { page }: Entry): void {
    this.#pages.delete(key);
    this.#bytes -= page.bytes;
  }
}
