/** Every route file of `app/`, and for whom it is. A file that is not here fails a test; `roles.spec.ts` asks them all. */
import { readdirSync, readFileSync } from "node:fs";

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

const site: Record<string, Kind> = {
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
  "healthz/route.ts": "open",
  "readyz/route.ts": "open",
  "openapi.json/route.ts": "open",
};

const api: Record<string, Kind> = {
  "[...path]": "nothing",
  account: "account",
  "auth/[...nextauth]": "nothing",
  entries: "account",
  keys: "account",
  "keys/[id]": "account",
  "keys/[id]/resume": "account",
  "keys/[id]/revoke": "account",
  me: "account",
  packages: "account",
  password: "account",
  payments: "payment",
  "payments/[id]": "account",
  "payments/[id]/check": "payment",
  "payments/stripe": "nothing",
  "playground/v1/[...path]": "work",
  prices: "open",
  "prices/history": "open",
  profile: "account",
  proof: "account",
  "requests/[id]": "account",
  running: "account",
  sessions: "account",
  "sessions/[id]/end": "account",
  "sign-out-everywhere": "account",
  "sign-up": "open",
  spend: "account",
  statement: "account",
  "statement/csv": "account",
  "task-times": "account",
  tasks: "account",
  "tasks/[id]": "account",
  usage: "account",
  "usage/csv": "account",
  "usage/summary": "account",
  version: "open",
  "vouchers/redeem": "account",
};

const operator: readonly string[] = [
  "accounts",
  "accounts/[id]",
  "accounts/[id]/adjust",
  "accounts/[id]/entries",
  "accounts/[id]/limits",
  "accounts/[id]/multiplier",
  "accounts/[id]/resume",
  "accounts/[id]/suspend",
  "actions",
  "actions/chain",
  "actions/csv",
  "channels",
  "channels/[id]",
  "channels/[id]/state",
  "channels/[id]/test",
  "invites",
  "invites/[id]/revoke",
  "keys/[id]/revoke",
  "money",
  "money/audit",
  "money/csv",
  "nodes/[id]/release",
  "notices",
  "notices/[id]/end",
  "overview",
  "packages",
  "packages/[id]",
  "payments",
  "payments/[id]/attend",
  "prices",
  "prices/[id]/withdraw",
  "prices/preview",
  "prices/upstream",
  "prices/versions",
  "requests",
  "requests/[id]",
  "requests/[id]/refund",
  "sessions/[id]/end",
  "settings",
  "stuck",
  "stuck/check",
  "tasks",
  "tasks/[id]/check",
  "vouchers",
  "vouchers/[id]",
  "vouchers/[id]/cancel",
  "vouchers/[id]/csv",
];

const v1: Record<string, Kind> = {
  "": "nothing",
  "[...path]": "nothing",
  balance: "key",
  "chat/completions": "key",
  "contents/generations/tasks": "key",
  "contents/generations/tasks/[id]": "key",
  "images/generations": "key",
  key: "key",
  "media/[file]": "open",
  models: "key",
  "models/[model]": "key",
  "openapi.json": "open",
  quote: "key",
  usage: "key",
  "videos/generations": "key",
};

const routeFile = (path: string) => [path, "route.ts"].filter((part) => part !== "").join("/");

export const roles: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...Object.entries(site),
  ...Object.entries(api).map(([path, kind]) => [`api/${routeFile(path)}`, kind] as const),
  ...operator.map((path) => [`api/admin/${routeFile(path)}`, "operator"] as const),
  ...Object.entries(v1).map(([path, kind]) => [`v1/${routeFile(path)}`, kind] as const),
]);

/** The route files there are, below `app/`. */
export function routeFiles(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/)(page\.tsx|route\.tsx?)$/.test(path))
    .sort();
}

/** The methods that a file answers. A file that answers all of one lane is asked by those of its endpoints. */
export function methodsOf(file: string): string[] {
  if (file.endsWith("page.tsx")) return ["GET"];
  const source = readFileSync(`app/${file}`, "utf8");
  const named = [...source.matchAll(/\b(?:export const|as) (GET|POST|PUT|PATCH|DELETE)\b/g)].map((match) => match[1] as string);
  return [...new Set(named)].sort();
}

const samples: Record<string, string> = {
  "(site)/docs/[guide]/page.tsx": "streaming",
  "(site)/models/[model]/page.tsx": "relay-v1",
};

/** The address of a file, its open parts filled in. */
export function addressOf(file: string, id = samples[file] ?? "none"): string {
  const parts = file
    .split("/")
    .slice(0, -1)
    .filter((part) => !part.startsWith("("))
    .map((part) => (part.startsWith("[...") ? "nothing/here" : part.startsWith("[") ? encodeURIComponent(id) : part));
  return `/${parts.join("/")}`;
}
