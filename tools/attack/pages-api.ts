/**
 * The pages' API: every row of its table and the paths beside it, with a valid body for each that
 * takes one.
 */
import { addressOf, routes } from "@/e2e/route-roles";
import type { PageName } from "@/lib/contract/page-endpoints";
import { AUTH_PATH, STRIPE_EVENTS_PATH } from "@/lib/contract/page-paths";

export interface PagesCall {
  readonly method: string;
  /** `ID` is replaced by an id. */
  readonly path: string;
  readonly seed: unknown;
  readonly isOperators: boolean;
}

const WEBHOOK = `POST ${STRIPE_EVENTS_PATH}` as const;
const ref = "01900000-0000-7000-8000-000000000001";
const soon = () => new Date(Date.now() + 86_400_000).toISOString();
const reason = "attack";
/** Changes that affect sales or an upstream name a model that the victim does not use. */
const model = "Super-Relay2.5";
const channel = {
  name: "fuzz",
  protocol: "openai",
  baseUrl: "https://upstream.invalid/v1",
  apiKey: "secret",
  models: { [model]: "m" },
};
const limits = {
  requestsPerMinute: 60,
  budget: "10",
  models: ["RelayV1"],
  expiresAt: soon(),
  hourlySpendMax: "5",
};
const pack = {
  name: "fuzz",
  note: null,
  points: "100",
  amount: 500,
  currency: "usd",
  isEnabled: false,
  position: 1,
};

/** By the name of its row; the webhook and the playground have none. */
const bodies: Readonly<Partial<Record<PageName | typeof WEBHOOK | "playground", unknown>>> = {
  signUp: {
    email: "fuzz@example.com",
    password: "a long enough password",
    name: "Fuzz",
    invite: "none",
  },
  changePassword: { currentPassword: "not the password", newPassword: "another long password" },
  changeProfile: { name: "Fuzz" },
  changeAccount: { lowBalanceNotice: "10" },
  provePassword: { password: "not the password" },
  createKey: { name: "fuzz", ...limits },
  changeKey: { name: "fuzz", ...limits },
  redeemVoucher: { code: "ABCD-EFGH" },
  startPayment: { packageId: "pkg_none" },
  [WEBHOOK]: { id: "evt_1", type: "checkout.session.completed", data: { object: { id: "cs_1" } } },
  playground: { model: "relay-v1", messages: [{ role: "user", content: "Hi" }], max_tokens: 8 },
  adjustPoints: { points: "1.5", reason, ref },
  changeMultiplier: { model: null, multiplier: "1.25", reason },
  changeKeyDefault: { requestsPerMinute: 100 },
  suspendAccount: { reason },
  createChannel: {
    ...channel,
    requestsPerSecond: 10,
    requestsPerMinute: 60,
    priority: 9,
    weight: 1,
    timeoutSeconds: 60,
  },
  changeChannel: { name: "fuzz", models: { [model]: "m" }, priority: 9 },
  setChannelState: { state: "disabled" },
  testChannel: { model, isReal: false },
  createInvite: { note: "fuzz", points: "10", days: 7 },
  postNotice: { level: "info", textEn: "Fuzz", textZh: "Fuzz", startsAt: soon(), endsAt: null },
  createPackage: pack,
  changePackage: pack,
  setPrice: { model, input: "1", output: "6000", effectiveAt: soon() },
  previewPrice: { model, output: "6000" },
  noteUpstreamPrice: { subject: model, price: { currency: "USD", input: null, output: "5" } },
  refundCharge: { points: "1", reason, ref },
  setLiveSetting: { name: "key_budget", value: "100" },
  createVouchers: { name: "fuzz", points: "1", count: 2, expiresAt: null },
};

/** These would end the session of the fuzz. */
const leftOut = new Set(["signOutEverywhere"]);
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

const asked = routes.filter(({ path }) => path.startsWith("/api/") && !path.startsWith(AUTH_PATH));
const seeds = new Map<string, unknown>(Object.entries(bodies));

export function pagesCalls(): PagesCall[] {
  const calls = asked
    .filter(({ name }) => !leftOut.has(name))
    .map((route) => ({
      method: route.method,
      path: addressOf(route, "ID"),
      seed: seeds.get(route.name) ?? {},
      isOperators: route.kind === "operator",
    }));
  const own = nextAuth.flatMap((name) =>
    ["GET", "POST"].map((method) => ({
      method,
      path: `${AUTH_PATH}/${name}`,
      seed: { csrfToken: "a", email: "a@example.com" },
      isOperators: false,
    })),
  );
  return [...calls, ...own];
}

/** Bodies of this table that belong to no address: the table must not outlive what it describes. */
export function bodiesWithoutEndpoint(): string[] {
  return [...seeds.keys()].filter((name) => !asked.some((route) => route.name === name));
}
