import { expect, test } from "vitest";
import { priceListFormats } from "./price-list";

const read = (format: keyof typeof priceListFormats, answer: object) =>
  Object.fromEntries(
    [...priceListFormats[format].read({ ...answer })].map(([model, rates]) => [
      model,
      rates.map(({ unit, amount }) => [unit, amount]),
    ]),
  );

test("another relay's own prices are taken as they are", () => {
  const rates = [
    { unit: "input_token", points: 2.5 },
    { unit: "second", resolution: "720p", points: 30 },
    { unit: "output_token", input_from: 200_000, hours: "16:30-00:30", points: 3 },
  ];
  const list = {
    data: [
      { id: "m", pricing: { rates } },
      { id: "unsold", pricing: null },
    ],
  };
  expect([...priceListFormats.relay.read(list)]).toEqual([
    [
      "m",
      [
        { unit: "input_token", amount: 2_500_000 },
        { unit: "second", resolution: "720p", amount: 30_000_000 },
        {
          ...{ unit: "output_token", input_from: 200_000, hours: "16:30-00:30" },
          amount: 3_000_000,
        },
      ],
    ],
  ]);
});

test("ratios of new-api are dollars for a million tokens, or for a call", () => {
  const data = [
    { model_name: "a", quota_type: 0, model_ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5 },
    { model_name: "b", quota_type: 1, model_price: 0.04 },
    { model_name: "c", quota_type: 0, model_ratio: "free" },
  ];
  expect(read("new-api", { data })).toEqual({
    a: [
      ["input_token", 2_500_000],
      ["cached_input_token", 1_250_000],
      ["output_token", 10_000_000],
    ],
    b: [["request", 40_000]],
  });
});

test("OpenRouter's prices are for one token; what is 0 besides is not listed", () => {
  const pricing = {
    prompt: "0.0000025",
    completion: "0.00001",
    request: "0",
    input_cache_read: "0.00000125",
  };
  expect(read("openrouter", { data: [{ id: "openai/m", pricing }] })).toEqual({
    "openai/m": [
      ["input_token", 2_500_000],
      ["cached_input_token", 1_250_000],
      ["output_token", 10_000_000],
    ],
  });
});

test("LiteLLM's file and its proxy's answer say the same", () => {
  const costs = {
    ...{ input_cost_per_token: 3e-6, input_cost_per_audio_token: 4e-5, max_tokens: 8192 },
    ...{ output_cost_per_token: 1.5e-5, output_cost_per_audio_token: 8e-5 },
  };
  const rates = [
    ["input_token", 3_000_000],
    ["input_audio_token", 40_000_000],
    ["output_token", 15_000_000],
    ["audio_token", 80_000_000],
  ];
  expect(read("litellm", { m: costs, sample_spec: { mode: "chat" } })).toEqual({ m: rates });
  expect(read("litellm", { data: [{ model_name: "m", model_info: costs }] })).toEqual({ m: rates });
});

const linesOf = (format: keyof typeof priceListFormats, answer: object) =>
  [...priceListFormats[format].read({ ...answer })].flatMap(([, rates]) =>
    rates.map(({ unit, amount, input_from }) => [unit, input_from ?? 0, amount]),
  );

test("LiteLLM's costs above a length are for more than so many thousand tokens", () => {
  const costs = {
    ...{ input_cost_per_token: 1e-6, input_cost_per_token_above_128k_tokens: 2e-6 },
    ...{ input_cost_per_token_above_200k_tokens: 3e-6, output_cost_per_token: 5e-6 },
    ...{ output_cost_per_token_above_200k_tokens: 9e-6 },
    ...{ cache_read_input_token_cost: 1e-7, cache_read_input_token_cost_above_200k_tokens: 2e-7 },
    // Without one of the rest, and of what does not depend on the length.
    ...{ cache_creation_input_token_cost_above_200k_tokens: 4e-6 },
    ...{ output_cost_per_image: 1, output_cost_per_image_above_200k_tokens: 2 },
    ...{ input_cost_per_token_above_272k_tokens: null, input_cost_per_token_above_0k_tokens: "x" },
  };
  expect(linesOf("litellm", { m: costs })).toEqual([
    ["input_token", 0, 1_000_000],
    ["cached_input_token", 0, 100_000],
    ["output_token", 0, 5_000_000],
    ["image", 0, 1_000_000],
    ["input_token", 128_001, 2_000_000],
    ["input_token", 200_001, 3_000_000],
    ["cached_input_token", 200_001, 200_000],
    ["output_token", 200_001, 9_000_000],
  ]);
});

test("LiteLLM's tiers are ranges of the input, the first of them without a length", () => {
  const tiered_pricing = [
    { range: [0, 32_000], input_cost_per_token: 1e-6, output_cost_per_token: 5e-6 },
    { range: [32_000, 128_000], input_cost_per_token: 2e-6, output_cost_per_token: 6e-6 },
    { range: "all", input_cost_per_token: 3e-6 },
    7,
  ];
  expect(linesOf("litellm", { m: { tiered_pricing } })).toEqual([
    ["input_token", 0, 1_000_000],
    ["output_token", 0, 5_000_000],
    ["input_token", 32_001, 2_000_000],
    ["output_token", 32_001, 6_000_000],
  ]);
});

test("OpenRouter's overrides are from so many tokens on", () => {
  const pricing = {
    ...{ prompt: "0.000001", completion: "0.000005" },
    overrides: [
      { min_prompt_tokens: 200_000, prompt: "0.000002", input_cache_read: "0.0000001" },
      { min_prompt_tokens: "many", prompt: "1" },
    ],
  };
  expect(linesOf("openrouter", { data: [{ id: "m", pricing }] })).toEqual([
    ["input_token", 0, 1_000_000],
    ["output_token", 0, 5_000_000],
    ["input_token", 200_000, 2_000_000],
  ]);
});

test("a formula of new-api is the rates that it says, or none", () => {
  const formula = (name: string, billing_expr: string) => ({
    ...{ model_name: name, quota_type: 0, model_ratio: 37.5, billing_mode: "tiered_expr" },
    billing_expr,
  });
  const data = [
    formula("a", "len <= 200000 ? p * 2 + c * 6 : p * 4 + c * 6"),
    formula("b", 'param("x") ? p : c'),
  ];
  expect(linesOf("new-api", { data })).toEqual([
    ["input_token", 0, 2_000_000],
    ["input_token", 200_001, 4_000_000],
    ["output_token", 0, 6_000_000],
  ]);
});
