import { describe, expect, test } from "vitest";
import { isRelayError } from "../failures/relay-error";
import { readBill } from "./read-bill";

const AT = Date.UTC(2026, 10, 2, 3, 4, 5);

test("a table of calls is read by the names that makers give their columns", () => {
  const csv = [
    "Request ID,Timestamp,Model,Prompt Tokens,Cached Tokens,Completion Tokens,Cost",
    'call-1,2026-11-02T03:04:05Z,gpt-x,"1,200",200,30,$0.001234',
    "call-2,2026-11-02 03:04:05,gpt-x,5,,7,0.5",
  ].join("\r\n");
  expect(readBill(`\uFEFF${csv}\r\n`, "csv")).toEqual({
    step: 1n,
    lines: [
      {
        ref: "call-1",
        at: AT,
        model: "gpt-x",
        requests: 1,
        usage: { inputTokens: 1200, outputTokens: 30, cachedInputTokens: 200 },
        amount: 1234n,
      },
      {
        ref: "call-2",
        at: AT,
        model: "gpt-x",
        requests: 1,
        usage: { inputTokens: 5, outputTokens: 7, cachedInputTokens: 0 },
        amount: 500_000n,
      },
    ],
  });
});

test("Chinese columns, seconds since 1970 and amounts in cents are read", () => {
  const csv = `请求ID,时间,模型名称,输入Tokens,输出Tokens,应付金额\nr1,${AT / 1000},m,1,2,¥0.03\nr2,${AT},m,1,2,-0.01`;
  const { lines, step } = readBill(csv, "csv");
  expect(step).toBe(10_000n);
  expect(lines.map(({ ref, at, amount }) => [ref, at, amount])).toEqual([
    ["r1", AT, 30_000n],
    ["r2", AT, -10_000n],
  ]);
});

test("columns of other names are named, and a bill without tokens or amounts has none", () => {
  const csv = "when,x\n2026-11-02T03:04:05Z,m";
  const { lines, step } = readBill(csv, "csv", { at: "when", model: "x" });
  expect(lines).toEqual([
    {
      ref: null,
      at: AT,
      model: "m",
      requests: 1,
      usage: { inputTokens: 0, outputTokens: 0 },
      amount: null,
    },
  ]);
  expect(step).toBe(1_000_000n);
});

test("another relay's usage names its calls as its answers do", () => {
  const csv = `time,request_id,operation_id,model,input_tokens,output_tokens,charged_points\n2026-11-02T03:04:05.000Z,req_1,0193-ab,RelayV1,3,4,1.5`;
  expect(readBill(csv, "relay", { ref: "operation_id" }).lines[0]).toMatchObject({
    ref: "chatcmpl-0193ab",
    amount: 1_500_000n,
  });
});

test("the usage of OpenAI and Anthropic is read by hour and model", () => {
  const openAi = {
    object: "page",
    data: [
      {
        object: "bucket",
        start_time: AT / 1000,
        results: [
          {
            input_tokens: 10,
            output_tokens: 2,
            input_cached_tokens: 4,
            num_model_requests: 3,
            model: "g",
          },
        ],
      },
    ],
  };
  expect(readBill(JSON.stringify(openAi), "openai").lines).toEqual([
    {
      ref: null,
      at: AT,
      model: "g",
      requests: 3,
      usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 },
      amount: null,
    },
  ]);
  const anthropic = {
    data: [
      {
        starting_at: "2026-11-02T03:04:05Z",
        results: [
          {
            uncached_input_tokens: 6,
            cache_read_input_tokens: 4,
            cache_creation: { ephemeral_1h_input_tokens: 1, ephemeral_5m_input_tokens: 2 },
            output_tokens: 2,
            model: "c",
          },
        ],
      },
    ],
  };
  expect(readBill(JSON.stringify([anthropic, anthropic]), "anthropic").lines).toHaveLength(2);
  expect(readBill(JSON.stringify(anthropic), "anthropic").lines[0]?.usage).toEqual({
    inputTokens: 13,
    outputTokens: 2,
    cachedInputTokens: 4,
    cacheWriteTokens: 3,
  });
});

describe("what cannot be read is named with its line", () => {
  test.each<[string, string, "csv" | "openai", RegExp]>([
    ["no column for the model", "time,x\n1,2", "csv", /no column for `model`.*time, x/],
    ["no time", "time,model\nyesterday,m", "csv", /Line 2: "yesterday" is not a time/],
    [
      "no count",
      "time,model,input_tokens\n1,m,many",
      "csv",
      /Line 2: "many" is not a whole number/,
    ],
    ["no amount", "time,model,cost\n1,m,\n1,m,free", "csv", /Line 3: "free" is not an amount/],
    ["no CSV", 'time,model\n"1,m', "csv", /is no CSV/],
    ["no JSON", "{", "openai", /is no JSON/],
  ])("%s", (_, text, format, reason) => {
    const refused = (() => {
      try {
        readBill(text, format);
      } catch (error) {
        return error;
      }
    })();
    expect(isRelayError(refused) && refused.message).toMatch(reason);
  });
});
