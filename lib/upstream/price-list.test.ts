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
