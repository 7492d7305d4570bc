/** The pages' API: every row of its table and what stands beside it, with a valid body for each that takes one. */
import { addressOf, routes } from "@/e2e/route-roles";
import { AUTH_PATH } from "@/lib/contract/page-paths";

export interface PagesCall {
  readonly method: string;
  /** `ID` is replaced by an id. */
  readonly path: string;
  readonly seed: unknown;
  readonly isOperators: boolean;
}

const ref = "01900000-0000-7000-8000-000000000001";
const soon = () => new Date(Date.now() + 86_400_000).toISOString();
const reason = "attack";
/** Changes that affect sales or an upstream name a model that the victim does not use. */
const model = "Super-Relay2.5";
const channel = { name: "fuzz", protocol: "openai", baseUrl: "https://upstream.invalid/v1", apiKey: "secret", models: { [model]: "m" } };
const limits = { requestsPerMinute: 60, budget: "10", models: ["RelayV1"], expiresAt: soon(), hourlySpendMax: "5" };
const pack = { name: "fuzz", note: null, points: "100", amount: 500, currency: "usd", isEnabled: false, position: 1 };

const bodies: Readonly<Record<string, unknown>> = {
  "POST /api/sign-up": { email: "fuzz@example.com", password: "a long enough password", name: "Fuzz", invite: "none" },
  "POST /api/password": { currentPassword: "not the password", newPassword: "another long password" },
  "PATCH /api/profile": { name: "Fuzz" },
  "PATCH /api/account": { lowBalanceNotice: "10" },
  "POST /api/proof": { password: "not the password" },
  "POST /api/keys": { name: "fuzz", ...limits },
  "PATCH /api/keys/ID": { name: "fuzz", ...limits },
  "POST /api/vouchers/redeem": { code: "ABCD-EFGH" },
  "POST /api/payments": { packageId: "pkg_none" },
  "POST /api/payments/stripe": { id: "evt_1", type: "checkout.session.completed", data: { object: { id: "cs_1" } } },
  "POST /api/playground/v1/chat/completions": { model: "relay-v1", messages: [{ role: "user", content: "Hi" }], max_tokens: 8 },
  "POST /api/admin/accounts/ID/adjust": { points: "1.5", reason, ref },
  "POST /api/admin/accounts/ID/multiplier": { model: null, multiplier: "1.25", reason },
  "POST /api/admin/accounts/ID/limits": { requestsPerMinute: 100 },
  "POST /api/admin/accounts/ID/suspend": { reason },
  "POST /api/admin/channels": { ...channel, requestsPerSecond: 10, requestsPerMinute: 60, priority: 9, weight: 1, timeoutSeconds: 60 },
  "PATCH /api/admin/channels/ID": { name: "fuzz", models: { [model]: "m" }, priority: 9 },
  "POST /api/admin/channels/ID/state": { state: "disabled" },
  "POST /api/admin/channels/ID/test": { model, isReal: false },
  "POST /api/admin/invites": { note: "fuzz", points: "10", days: 7 },
  "POST /api/admin/notices": { level: "info", textEn: "Fuzz", textZh: "Fuzz", startsAt: soon(), endsAt: null },
  "POST /api/admin/packages": pack,
  "POST /api/admin/packages/ID": pack,
  "POST /api/admin/prices": { model, input: "1", output: "6000", effectiveAt: soon() },
  "POST /api/admin/prices/preview": { model, output: "6000" },
  "POST /api/admin/prices/upstream": { subject: model, price: { currency: "USD", input: null, output: "5" } },
  "POST /api/admin/requests/ID/refund": { points: "1", reason, ref },
  "POST /api/admin/settings": { name: "key_budget", value: "100" },
  "POST /api/admin/vouchers": { name: "fuzz", points: "1", count: 2, expiresAt: null },
};

/** These would end the session of the fuzz. */
const leftOut = new Set(["POST /api/sign-out-everywhere"]);
const nextAuth = [
  "csrf",
  "session",
  "providers",
  "signin/credentials",
  "callback/credentials",
  "callback/email",
  "callback/none",
  "error",
  "_log",
];

/** Every query parameter of the lists. */
export const queryNames = [
  "cursor",
  "kind",
  "from",
  "to",
  "model",
  "status",
  "state",
  "family",
  "key",
  "ids",
  "limit",
  "group",
  "days",
  "q",
  "account",
  "channel",
  "operators",
  "attention",
  "actor",
  "action",
  "subject",
];

export function pagesCalls(): PagesCall[] {
  const asked = routes.filter(({ path }) => path.startsWith("/api/") && !path.startsWith(AUTH_PATH));
  const calls = asked.map((route) => {
    const { method, kind } = route;
    const path = addressOf(route, "ID");
    return { method, path, seed: bodies[`${method} ${path}`] ?? {}, isOperators: kind === "operator" };
  });
  const own = nextAuth.flatMap((name) =>
    ["GET", "POST"].map((method) => ({
      method,
      path: `/api/auth/${name}`,
      seed: { csrfToken: "a", email: "a@example.com" },
      isOperators: false,
    })),
  );
  return [...calls, ...own].filter(({ method, path }) => !leftOut.has(`${method} ${path}`));
}

/** Bodies of this table that belong to no address: the table must not outlive what it describes. */
export function strayBodies(): string[] {
  const known = new Set(pagesCalls().map(({ method, path }) => `${method} ${path}`));
  return Object.keys(bodies).filter((name) => !known.has(name));
}
