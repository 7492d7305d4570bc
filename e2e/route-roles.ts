/** For whom every page and every address is: of pages by their files, of both APIs by their tables. `roles.spec.ts` asks them all. */
import { readdirSync } from "node:fs";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import { AUTH_PATH, PLAYGROUND_PATH, STRIPE_EVENTS_PATH } from "@/lib/contract/page-paths";

export type Kind =
  /** A page for anyone. */
  | "page"
  /** A page for whoever is signed in; others are led to the login page. */
  | "account page"
  /** To anyone but an operator there is no such page. */
  | "operator page"
  /** For anyone; answers nothing that is somebody's. */
  | "open"
  /** For whoever is signed in: 401 without a session. */
  | "account"
  /** As `account`, and there is nothing to do as long as no payment provider is set up, as here. */
  | "payment"
  /** As `account`, and refused to a suspended account. */
  | "work"
  /** To anyone but an operator there is nothing here. */
  | "operator"
  /** For an API key; a session is worth nothing here. */
  | "key"
  /** What answers where nothing else does. */
  | "nothing";

/** Of files that no table has a row for. */
const files: Record<string, Kind> = {
  "(auth)/login/page.tsx": "page",
  "(auth)/signup/page.tsx": "page",
  "(site)/page.tsx": "page",
  "(site)/pricing/page.tsx": "page",
  "(site)/docs/page.tsx": "page",
  "(site)/docs/[guide]/page.tsx": "page",
  "(site)/docs/api/page.tsx": "page",
  "(site)/models/page.tsx": "page",
  "(site)/models/[model]/page.tsx": "page",
  "(dashboard)/overview/page.tsx": "account page",
  "(dashboard)/playground/page.tsx": "account page",
  "(dashboard)/playground/image/page.tsx": "account page",
  "(dashboard)/playground/video/page.tsx": "account page",
  "(dashboard)/points/page.tsx": "account page",
  "(dashboard)/points/receipts/[id]/page.tsx": "account page",
  "(dashboard)/settings/page.tsx": "account page",
  "(dashboard)/tasks/page.tsx": "account page",
  "(dashboard)/tasks/[id]/page.tsx": "account page",
  "(dashboard)/usage/page.tsx": "account page",
  "(operator)/admin/page.tsx": "operator page",
  "(operator)/admin/accounts/page.tsx": "operator page",
  "(operator)/admin/accounts/[id]/page.tsx": "operator page",
  "(operator)/admin/audit/page.tsx": "operator page",
  "(operator)/admin/channels/page.tsx": "operator page",
  "(operator)/admin/prices/page.tsx": "operator page",
  "(operator)/admin/money/page.tsx": "operator page",
  "(operator)/admin/packages/page.tsx": "operator page",
  "(operator)/admin/vouchers/page.tsx": "operator page",
  "(operator)/admin/requests/page.tsx": "operator page",
  "(operator)/admin/settings/page.tsx": "operator page",
  "(operator)/admin/tasks/page.tsx": "operator page",
  ".well-known/api-catalog/route.ts": "open",
  ".well-known/security.txt/route.ts": "open",
  "llms.txt/route.ts": "open",
  "manifest.webmanifest/route.ts": "open",
  "robots.txt/route.ts": "open",
  "sitemap.xml/route.ts": "open",
};

/** Files that answer for many addresses, each of a table or of what stands beside it. */
const dispatching: readonly string[] = [
  "api/[...path]/route.ts",
  "api/auth/[...nextauth]/route.ts",
  "api/payments/stripe/route.ts",
  "api/playground/v1/[...path]/route.ts",
  "v1/[...path]/route.ts",
  "v1/route.ts",
];

/** A page or an address, and who may ask it by a method. */
export interface Route {
  /** Of a page its file, of an address the name of its row. */
  readonly name: string;
  readonly kind: Kind;
  readonly method: string;
  /** `{id}` stands where it is open. */
  readonly path: string;
}

const samples: Record<string, string> = {
  "(site)/docs/[guide]/page.tsx": "streaming",
  "(site)/models/[model]/page.tsx": "relay-v1",
};

/** The path of a file, and of its open part what is there to be asked. */
function pathOfFile(file: string): string {
  const parts = file
    .split("/")
    .slice(0, -1)
    .filter((part) => !part.startsWith("("));
  return `/${parts.map((part) => (part.startsWith("[") ? (samples[file] ?? "{id}") : part)).join("/")}`;
}

/** Where no payment provider is set up there is nothing to do for them. */
const payments: readonly PageName[] = ["startPayment", "checkPayment"];
const kindOf = { anyone: "open", user: "account", operator: "operator" } as const;

function pageRoute([name, { who, method, path }]: [string, PageEndpoint]): Route {
  const isPayment = payments.some((each) => each === name);
  return { name, kind: isPayment ? "payment" : kindOf[who], method, path };
}

function relayRoute({ name, admits, method, path }: EndpointRow): Route {
  return { name, kind: admits.includes("apiKey") ? "key" : "open", method, path };
}

const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"];
const nothingAt = (path: string, methods = METHODS) =>
  methods.map((method): Route => ({ name: `${method} ${path}`, kind: "nothing", method, path }));

/** Every page and every address, by every method that is for somebody. */
export const routes: readonly Route[] = [
  ...Object.entries(files).map(
    ([file, kind]): Route => ({ name: file, kind, method: "GET", path: pathOfFile(file) }),
  ),
  ...Object.entries<PageEndpoint>(pageEndpoints).map(pageRoute),
  ...Object.values(endpoints).map(relayRoute),
  {
    name: "playground",
    kind: "work",
    method: "POST",
    path: `${PLAYGROUND_PATH}${endpoints.createChatCompletion.path}`,
  },
  ...nothingAt("/api/nothing/here"),
  ...nothingAt(`${AUTH_PATH}/nothing/here`, ["GET", "POST"]),
  ...nothingAt(STRIPE_EVENTS_PATH, ["POST"]),
  ...nothingAt("/v1"),
  ...nothingAt("/v1/nothing/here"),
];

/** The path with its open part filled in. */
export const addressOf = ({ path }: Pick<Route, "path">, id = "none") =>
  path.replace(/\{[^}]*\}/, encodeURIComponent(id));

/** The address of a row of the pages' API. */
export const pathOf = (name: PageName, id?: string) => addressOf(pageEndpoints[name], id);

/** The route files there must be below `app/`, and no others. */
export function expectedFiles(): string[] {
  const relay = Object.values(endpoints).map(
    ({ path }) => `${path.slice(1).replaceAll("{", "[").replaceAll("}", "]")}/route.ts`,
  );
  return [...new Set([...Object.keys(files), ...dispatching, ...relay])].sort();
}

/** The route files there are, below `app/`. */
export function routeFiles(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/)(page\.tsx|route\.tsx?)$/.test(path))
    .sort();
}
