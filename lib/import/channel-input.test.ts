import { expect, test } from "vitest";
import type { Product } from "./book";
import { channelInput } from "./channel-input";

const models = new Map([
  ["gpt-4o", "gpt-4o"],
  ["deepseek-chat", "deepseek-chat"],
]);
const row = (values: Record<string, unknown>) => ({
  ...{ id: 7, type: 1, key: "k", status: 1, name: "main", base_url: "", models: "gpt-4o" },
  ...values,
});
const channel = (values: Record<string, unknown>, product: Product = "new-api") =>
  channelInput(row(values), product, models, (name) => name === "taken");

test("an address gets the path that the source adds, once", () => {
  const base = (values: Record<string, unknown>, product?: Product) => channel(values, product);
  const leadsTo = (baseUrl: string) => ({ channel: { baseUrl } });
  expect(base({})).toMatchObject(leadsTo("https://api.openai.com/v1"));
  expect(base({ base_url: "https://a.example.com/" })).toMatchObject(
    leadsTo("https://a.example.com/v1"),
  );
  expect(base({ base_url: "https://a.example.com/v1" })).toMatchObject(
    leadsTo("https://a.example.com/v1"),
  );
  expect(base({ type: 45 })).toMatchObject({
    channel: { protocol: "ark", baseUrl: "https://ark.cn-beijing.volces.com/api/v3" },
  });
  expect(base({ type: 36 }, "one-api")).toMatchObject(leadsTo("https://api.deepseek.com/v1"));
});

test("models are mapped to the upstream's names, and credentials in use are taken", () => {
  expect(
    channel({
      models: "gpt-4o, deepseek-chat,other",
      model_mapping: '{"gpt-4o":"gpt-4o-2026"}',
      key: "one\ntwo\n\nthree\ntwo",
      channel_info: '{"multi_key_status_list":{"1":2,"4":3}}',
      name: "taken",
      weight: 0,
      priority: 9_999_999,
    }),
  ).toMatchObject({
    isEnabled: true,
    channel: {
      name: "taken channel 7",
      models: { "gpt-4o": "gpt-4o-2026", "deepseek-chat": "deepseek-chat" },
      apiKey: "one",
      credentials: [{ name: "key-2", apiKey: "three" }],
      weight: 1,
      priority: 1_000_000,
    },
  });
});

test("a name leads to the end of its chain at new-api, one step at one-api, and in a ring nowhere", () => {
  const model_mapping = JSON.stringify({
    "gpt-4o": "b",
    b: "c",
    "deepseek-chat": "d",
    d: "deepseek-chat",
  });
  const models = "gpt-4o,deepseek-chat";
  expect(channel({ models, model_mapping })).toMatchObject({
    channel: { models: { "gpt-4o": "c", "deepseek-chat": "d" } },
  });
  expect(channel({ models, model_mapping, type: 1 }, "one-api")).toMatchObject({
    channel: { models: { "gpt-4o": "b", "deepseek-chat": "d" } },
  });
});

test("a channel without a credential in use is off, and what it does beside its address is named", () => {
  const channel_info = '{"is_multi_key":true,"multi_key_status_list":{"0":2,"1":3}}';
  expect(channel({ key: "\none\ntwo", channel_info })).toMatchObject({
    isEnabled: false,
    channel: { apiKey: "one", credentials: [{ apiKey: "two" }] },
    remarks: [expect.stringContaining("switched off")],
  });
  expect(channel({ setting: '{"force_format":false,"proxy":""}' })).toMatchObject({ remarks: [] });
  const filled = {
    ...{ setting: '{"proxy":"socks5://a.example"}', status_code_mapping: '{"429":"500"}' },
    ...{ openai_organization: "org-1", system_prompt: "Be kind." },
  };
  expect(channel(filled)).toMatchObject({
    remarks: ["status_code_mapping", "setting", "openai_organization", "system_prompt"].map(
      (field) => `its ${field} did not move: set it by hand`,
    ),
  });
});

test("what cannot be a channel here is refused with the reason", () => {
  expect(channel({ type: 3 })).toEqual({ refusal: expect.stringContaining("type 3") });
  expect(channel({ type: 47 })).toEqual({ refusal: "it names no address" });
  expect(channel({ base_url: "https://a.example.com?key=1" })).toEqual({
    refusal: expect.stringContaining("query"),
  });
  expect(channel({ models: "sora" })).toEqual({ refusal: "none of its models moved" });
  expect(channel({ key: '{"type": "service_account"}' })).toEqual({
    refusal: expect.stringContaining("by hand"),
  });
  expect(channel({ param_override: '{"a":1}' })).toMatchObject({
    remarks: ["its param_override did not move: set it by hand"],
  });
});
