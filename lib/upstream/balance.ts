/** What is left of our own account at an upstream, where its API has an address for it. */
import { isRecord } from "../values/records";
import type { Channel, JsonObject } from "./provider";

interface Balance {
  /** Millionths; below zero for a debt. */
  readonly amount: bigint;
  /** Three letters, or `points` of another relay. */
  readonly currency: string;
}

export type BalanceRead =
  | { readonly isOk: true; readonly balance: Balance }
  /** `hasNone`: the upstream has no such address, or the account has no bound. */
  | { readonly isOk: false; readonly hasNone: boolean; readonly reason: string };

/** How an upstream tells the balance: its addresses, and what their answers say; null for nothing. */
export interface BalanceFormat {
  readonly paths: readonly string[];
  /** Whether the addresses begin at the host, not at the channel's base URL. */
  readonly isAtRoot?: true;
  read(...answers: readonly JsonObject[]): Balance | "unbounded" | null;
}

const AMOUNT_MAX = 1e12;

/** A number, or its decimal text, in millionths; null for anything else. */
function millionths(value: unknown): bigint | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !(Math.abs(number) <= AMOUNT_MAX)) return null;
  return BigInt(Math.round(number * 1e6));
}

const balanceOf = (value: unknown, currency: string): Balance | null => {
  const amount = millionths(value);
  return amount === null ? null : { amount, currency };
};
const isCurrency = (text: unknown): text is string =>
  typeof text === "string" && /^[A-Z]{3}$/.test(text);
const inner = ({ data }: JsonObject): JsonObject => (isRecord(data) ? data : {});

/** What a new-api or one-api puts as the limit of a key without one. */
const UNBOUNDED_USD = 100_000_000;

const relay: BalanceFormat = {
  paths: ["/balance"],
  read: (answer = {}) => balanceOf(answer.available_points, "points"),
};
/** Also of one-api and of what was made of it. `total_usage` is in cents. */
const newApi: BalanceFormat = {
  paths: ["/dashboard/billing/subscription", "/dashboard/billing/usage"],
  read({ hard_limit_usd: limit } = {}, { total_usage: usage } = {}) {
    const [all, cents] = [millionths(limit), millionths(usage)];
    if (all === null || cents === null) return null;
    if (Number(limit) >= UNBOUNDED_USD) return "unbounded";
    return { amount: all - cents / 100n, currency: "USD" };
  },
};
const openRouter: BalanceFormat = {
  paths: ["/credits"],
  read(answer = {}) {
    const { total_credits: credits, total_usage: usage } = inner(answer);
    const [all, used] = [millionths(credits), millionths(usage)];
    return all === null || used === null ? null : { amount: all - used, currency: "USD" };
  },
};
const deepSeek: BalanceFormat = {
  paths: ["/user/balance"],
  isAtRoot: true,
  read({ balance_infos: infos } = {}) {
    const [first] = Array.isArray(infos) ? infos.filter(isRecord) : [];
    return isCurrency(first?.currency) ? balanceOf(first.total_balance, first.currency) : null;
  },
};
const moonshot = (currency: string): BalanceFormat => ({
  paths: ["/users/me/balance"],
  read: (answer = {}) => balanceOf(inner(answer).available_balance, currency),
});
const siliconFlow = (currency: string): BalanceFormat => ({
  paths: ["/user/info"],
  read: (answer = {}) => balanceOf(inner(answer).totalBalance, currency),
});

/** By host. */
const formatsOfHosts: Readonly<Record<string, BalanceFormat>> = {
  "openrouter.ai": openRouter,
  "api.deepseek.com": deepSeek,
  "api.moonshot.cn": moonshot("CNY"),
  "api.moonshot.ai": moonshot("USD"),
  "api.siliconflow.cn": siliconFlow("CNY"),
  "api.siliconflow.com": siliconFlow("USD"),
};

/** How a channel's upstream tells the balance; null where its protocol has no address for it. */
export function balanceFormatOf({
  protocol,
  baseUrl,
}: Pick<Channel, "protocol" | "baseUrl">): BalanceFormat | null {
  if (protocol === "relay") return relay;
  if (protocol !== "openai") return null;
  const { hostname } = new URL(baseUrl);
  return Object.hasOwn(formatsOfHosts, hostname) ? (formatsOfHosts[hostname] ?? null) : newApi;
}
