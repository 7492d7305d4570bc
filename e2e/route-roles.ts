/**
 * Who may use each page and each endpoint: pages by their files, both APIs by their tables.
 * `roles.spec.ts` calls them all.
 */
import { readdirSync } from "node:fs";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import { mcpEndpoint } from "@/lib/contract/mcp";
import { endsWithSuspension } from "@/lib/contract/member-roles";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import { AUTH_PATH, PLAYGROUND_PATH, STRIPE_EVENTS_PATH } from "@/lib/contract/page-paths";

export type Kind =
  /** A page for everyone. */
  | "page"
  /** Whoever asks, as long as an operator has set it. */
  | "page if set"
  /** A page for signed-in users; others are redirected to the login page. */
  | "account page"
  /** A page for operators; 404 for everyone else. */
  | "operator page"
  /** For everyone; returns nothing private. */
  | "open"
  /** For signed-in users; 401 without a session. */
  | "account"
  /** As `account`; 404 without a payment provider, as in these tests. */
  | "payment"
  /** For operators; 404 for everyone else. */
  | "operator"
  /** For API keys; a session is not accepted. */
  | "key"
  /** For management keys; neither a session nor an API key is accepted. */
  | "management"
  /** The routes for addresses that do not exist. */
  | "nothing";

/** Files that have no row in a table. */
const files: Record<string, Kind> = {
  "(auth)/forgot/page.tsx": "page",
  "(auth)/login/page.tsx": "page",
  "(auth)/login/step/page.tsx": "page",
  "(auth)/reset/page.tsx": "page",
  "(auth)/signup/page.tsx": "page",
  "(auth)/undo-email/page.tsx": "page",
  "(home)/page.tsx": "page",
  "(site)/pricing/page.tsx": "page",
  "(site)/docs/page.tsx": "page",
  "(site)/docs/search.json/route.ts": "open",
  "(site)/legal/[page]/page.tsx": "page if set",
  "(site)/docs/[guide]/page.tsx": "page",
  "(site)/docs/api/page.tsx": "page",
  "(site)/docs/api/[group]/page.tsx": "page",
  "(site)/models/page.tsx": "page",
  "(site)/models/[model]/page.tsx": "page",
  // For everyone where the setting says so; `status.spec.ts` sets it.
  "(site)/status/page.tsx": "operator page",
  "(dashboard)/overview/page.tsx": "account page",
  "(dashboard)/playground/page.tsx": "account page",
  "(dashboard)/playground/image/page.tsx": "account page",
  "(dashboard)/playground/video/page.tsx": "account page",
  "(dashboard)/keys/page.tsx": "account page",
  "(dashboard)/points/page.tsx": "account page",
  "(dashboard)/points/receipts/[id]/page.tsx": "account page",
  "(dashboard)/members/page.tsx": "account page",
  "(auth)/invitation/page.tsx": "account page",
  "(auth)/confirm-email/page.tsx": "account page",
  "(dashboard)/notifications/page.tsx": "account page",
  "(dashboard)/requests/[id]/page.tsx": "account page",
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
  "(operator)/admin/groups/page.tsx": "operator page",
  "(operator)/admin/models/page.tsx": "operator page",
  "(operator)/admin/models/[id]/page.tsx": "operator page",
  "(operator)/admin/incidents/page.tsx": "operator page",
  "(operator)/admin/keys/page.tsx": "operator page",
  "(operator)/admin/money/page.tsx": "operator page",
  "(operator)/admin/packages/page.tsx": "operator page",
  "(operator)/admin/plans/page.tsx": "operator page",
  "(operator)/admin/vouchers/page.tsx": "operator page",
  "(operator)/admin/invoices/page.tsx": "operator page",
  "(operator)/admin/upstream-bills/page.tsx": "operator page",
  "(operator)/admin/requests/page.tsx": "operator page",
  "(operator)/admin/requests/[id]/page.tsx": "operator page",
  "(operator)/admin/settings/page.tsx": "operator page",
  "(operator)/admin/tasks/page.tsx": "operator page",
  ".well-known/api-catalog/route.ts": "open",
  ".well-known/security.txt/route.ts": "open",
  "brand/[file]/route.ts": "open",
  "examples/[model]/[file]/route.ts": "open",
  "llms.txt/route.ts": "open",
  "manifest.webmanifest/route.ts": "open",
  "robots.txt/route.ts": "open",
  "sitemap.xml/route.ts": "open",
  "status/feed.atom/route.ts": "open",
};

/** The addresses of the pages of a layout, but those that name a thing. */
export const pagesOf = (layout: "dashboard" | "operator"): string[] =>
  Object.keys(files)
    .filter((file) => file.startsWith(`(${layout})/`) && !file.includes("["))
    .map((file) => file.slice(layout.length + 2, -"/page.tsx".length));

/** Files that serve many addresses: those of a table, or of a library. */
const dispatching: readonly string[] = [
  "api/[...path]/route.ts",
  "api/auth/[...nextauth]/route.ts",
  "api/payments/stripe/route.ts",
  "api/playground/v1/[...path]/route.ts",
  "mcp/route.ts",
  "v1/[...path]/route.ts",
  "v1/route.ts",
];

/** A page or an endpoint, and who may call it with a method. */
export interface Route {
  /** The file of a page, or the row name of an endpoint. */
  readonly name: string;
  readonly kind: Kind;
  readonly method: string;
  /** `{id}` is the parameter. */
  readonly path: string;
  /** Whether it is refused while the account is suspended. */
  readonly isForActive?: boolean;
}

/** The values of the parameters, in their order. */
const samples: Record<string, readonly string[]> = {
  "(site)/docs/[guide]/page.tsx": ["streaming"],
  "(site)/docs/api/[group]/page.tsx": ["chat"],
  "(site)/models/[model]/page.tsx": ["relay-v1"],
  "(site)/legal/[page]/page.tsx": ["terms"],
  "brand/[file]/route.ts": ["logo"],
  "examples/[model]/[file]/route.ts": ["super-relay-2.5", "a-lighthouse-at-dusk.mp4"],
};

/** The path of a file, with existing values for its parameters. */
function pathOfFile(file: string): string {
  const parts = file
    .split("/")
    .slice(0, -1)
    .filter((part) => !part.startsWith("("));
  const values = [...(samples[file] ?? [])];
  return `/${parts.map((part) => (part.startsWith("[") ? (values.shift() ?? "{id}") : part)).join("/")}`;
}

/** Answered with 404 where no payment provider is set up. */
const payments: readonly PageName[] = [
  "startPayment",
  "checkPayment",
  "continuePayment",
  "cancelPayment",
  "setAutoTopup",
  "saveCard",
  "checkCard",
  "confirmCard",
];
const kindOf = { anyone: "open", user: "account", operator: "operator" } as const;

function pageRoute([name, { who, method, path, permission = "self" }]: [
  string,
  PageEndpoint,
]): Route {
  const isPayment = payments.some((each) => each === name);
  const isForActive = permission !== "self" && endsWithSuspension(permission);
  return { name, kind: isPayment ? "payment" : kindOf[who], method, path, isForActive };
}

function kindOfRow({ admits }: EndpointRow): Kind {
  if (admits.includes("apiKey")) return "key";
  return admits.includes("managementKey") ? "management" : "open";
}

function relayRoute(row: EndpointRow): Route {
  return { name: row.name, kind: kindOfRow(row), method: row.method, path: row.path };
}

const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"];
const nothingAt = (path: string, methods = METHODS) =>
  methods.map((method): Route => ({ name: `${method} ${path}`, kind: "nothing", method, path }));

/** Every page and every endpoint with each method that anyone may use. */
export const routes: readonly Route[] = [
  ...Object.entries(files).map(
    ([file, kind]): Route => ({ name: file, kind, method: "GET", path: pathOfFile(file) }),
  ),
  ...Object.entries<PageEndpoint>(pageEndpoints).map(pageRoute),
  ...Object.values(endpoints).map(relayRoute),
  relayRoute(mcpEndpoint),
  {
    name: "playground",
    kind: "account",
    isForActive: true,
    method: "POST",
    path: `${PLAYGROUND_PATH}${endpoints.createChatCompletion.path}`,
  },
  ...nothingAt("/api/nothing/here"),
  ...nothingAt(`${AUTH_PATH}/nothing/here`, ["GET", "POST"]),
  ...nothingAt(STRIPE_EVENTS_PATH, ["POST"]),
  ...nothingAt("/v1"),
  ...nothingAt("/v1/nothing/here"),
];

/** Bodies that some rows take, where the test of ids must get beyond the schema. */
export const bodies: Readonly<Record<string, object>> = {
  changeMemberRole: { role: "viewer", keepsKeys: false },
  removeMember: { keepsKeys: false },
};

/** The path with its parameter filled in. */
export const addressOf = ({ path }: Pick<Route, "path">, id = "none") =>
  path.replace(/\{[^}]*\}/, encodeURIComponent(id));

/** The address of a row of the pages' API. */
export const pathOf = (name: PageName, id?: string) => addressOf(pageEndpoints[name], id);

/** The route files that must exist below `app/`; there must be no others. */
export function expectedFiles(): string[] {
  const relay = Object.values(endpoints).map(
    ({ path }) => `${path.slice(1).replaceAll("{", "[").replaceAll("}", "]")}/route.ts`,
  );
  return [...new Set([...Object.keys(files), ...dispatching, ...relay])].sort();
}

/** The route files that exist below `app/`. */
export function routeFiles(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/)(page\.tsx|route\.tsx?)$/.test(path))
    .sort();
}
