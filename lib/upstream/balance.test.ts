import { expect, test } from "vitest";
import { balanceFormatOf } from "./balance";

const of = (baseUrl: string, protocol: "openai" | "relay" | "ark" | "anthropic" = "openai") =>
  balanceFormatOf({ protocol, baseUrl });
const usd = (amount: bigint) => ({ amount, currency: "USD" });

test.each([
  [
    "https://openrouter.ai/api/v1",
    [{ data: { total_credits: 20, total_usage: 7.25 } }],
    usd(12_750_000n),
  ],
  [
    "https://api.deepseek.com/v1",
    [{ is_available: true, balance_infos: [{ currency: "CNY", total_balance: "110.05" }] }],
    { amount: 110_050_000n, currency: "CNY" },
  ],
  ["https://api.moonshot.ai/v1", [{ code: 0, data: { available_balance: -0.5 } }], usd(-500_000n)],
  ["https://api.siliconflow.com/v1", [{ data: { totalBalance: "0.88" } }], usd(880_000n)],
  ["https://relay.example/v1", [{ hard_limit_usd: 10 }, { total_usage: 250 }], usd(7_500_000n)],
  ["https://relay.example/v1", [{ hard_limit_usd: 100_000_000 }, { total_usage: 1 }], "unbounded"],
  ["https://relay.example/v1", [{ error: { message: "no" } }, {}], null],
  ["https://openrouter.ai/api/v1", [{ data: { total_credits: "many" } }], null],
  ["https://api.deepseek.com", [{ balance_infos: [] }], null],
])("%s: %j", (baseUrl, answers, balance) => {
  expect(of(baseUrl)?.read(...answers)).toEqual(balance);
});

test("another relay names its points, and other protocols have no address for it", () => {
  const format = of("https://relay.example/v1", "relay");
  expect(format?.read({ available_points: 12.5 })).toEqual({
    amount: 12_500_000n,
    currency: "points",
  });
  expect([of("https://a.example", "ark"), of("https://a.example", "anthropic")]).toEqual([
    null,
    null,
  ]);
});
