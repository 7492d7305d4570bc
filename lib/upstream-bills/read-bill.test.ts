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

test("tables with semicolons or tabs are read, with a field over two lines", () => {
  const csv = ['"Request ID";Time;Model;Note;Cost', 'a;2026-11-02 03:04:05;m;"one,\ntwo";1.5'];
  for (const text of [csv.join("\n"), csv.join("\r\n").replaceAll(";", "\t")])
    expect(readBill(`\uFEFF${text}`, "csv").lines).toMatchObject([
      { ref: "a", at: AT, model: "m", amount: 1_500_000n },
    ]);
});

test("a time is read as programs write it, and no other text is taken for one", () => {
  const read = (text: string) => readBill(`time\tmodel\n${text}\tm`, "csv").lines[0]?.at;
  const same = [
    ...["2026/11/02 03:04:05", "2026-11-2 3:04:05", "2026-11-02 03:04:05 UTC"],
    ...["2026-11-02 11:04:05+08:00", "2026-11-01T22:04:05-0500", "2026-11-02T03:04:05,000Z"],
  ];
  for (const text of same) expect(read(text), text).toBe(AT);
  expect(read("2026-11-02T03:04:05.123456Z")).toBe(AT + 123);
  const others = ["11/02/2026", "02.11.2026", "2026-02-30", "2026-13-01", "2026-11-02 24:00"];
  for (const text of [...others, "call 12", "Nov 2 2026", "2026-11-02 03:04:61"])
    expect(() => read(text), text).toThrow(/is not a time/);
});

test("a line whose time is a day is for all of it", () => {
  const { lines } = readBill("date,model,cost\n2026-11-02,m,1\n2026-11-02 03:04,m,1", "csv");
  expect(lines.map(({ spanMs }) => spanMs)).toEqual([86_400_000, undefined]);
});

test("columns of other names are named, and a bill without tokens or amounts has none", () => {
  const csv = "when,x\n2026-11-02T03:04:05Z,m";
  const { lines, step } = readBill(csv, "csv", { columns: { at: "when", model: "x" } });
  expect(lines).toEqual([
    {
      ref: null,
      at: AT,
      model: "m",
      requests: 1,
      usage: { inputTokens: 0, outputTokens: 0 },
      isUntold: true,
      amount: null,
    },
  ]);
  expect(step).toBe(1_000_000n);
});

test("amounts are read as programs and people write them, and never as another amount", () => {
  const read = (amount: string, currency = "USD") =>
    readBill(`time,model,cost\n2026-11-02,m,"${amount}"`, "csv", {
      currency,
    });
  const amounts: [string, bigint][] = [
    ["1.2e-05", 12n],
    ["3E2", 300_000_000n],
    ["-$0.03", -30_000n],
    ["\u22120.03", -30_000n],
    ["($0.03)", -30_000n],
    ["USD 0.03", 30_000n],
    ["0.03 USD", 30_000n],
    ["$1,234,567.5", 1_234_567_500_000n],
    [".5", 500_000n],
    ["0.0000005", 1n],
  ];
  for (const [text, amount] of amounts) expect(read(text).lines[0]?.amount, text).toBe(amount);
  expect(read("1.2e-05").step).toBe(1n);
  for (const text of [
    "0,03",
    "1,23",
    "12,34.5",
    "1.2.3",
    "--1",
    "1e99",
    "9".repeat(16),
    "~3",
    "0x10",
  ])
    expect(() => read(text), text).toThrow(/is not an amount/);
});

test("a line of another currency is refused, also where only its mark says so", () => {
  const csv = (amount: string, currency: string) =>
    `time,model,cost,currency\n2026-11-02,m,1,\n2026-11-02,m,${amount},${currency}`;
  for (const [amount, named, compared] of [
    ["¥7.2", "", "USD"],
    ["$7.2", "", "CNY"],
    ["€7.2", "", "USD"],
    ["7.2", "CNY", "USD"],
    ["EUR 7.2", "", "USD"],
  ] as const)
    expect(() => readBill(csv(amount, named), "csv", { currency: compared })).toThrow(
      /Line 3 is in .* compared in/,
    );
  for (const [amount, named, compared] of [
    ["¥7.2", "CNY", "CNY"],
    ["$7.2", "hkd", "HKD"],
    ["7.2 元", "", "CNY"],
  ] as const)
    expect(readBill(csv(amount, named), "csv", { currency: compared }).lines).toHaveLength(2);
});

test("times without a zone are of the bill's, over changes of the clock", () => {
  const at = (text: string, zone: string) =>
    readBill(`time,model\n${text},m`, "csv", { zone }).lines[0]?.at;
  expect(at("2026-11-02 11:04:05", "Asia/Shanghai")).toBe(AT);
  expect(at("2026-11-02T03:04:05Z", "Asia/Shanghai")).toBe(AT);
  expect(at("2026-11-02 08:34:05", "Asia/Kolkata")).toBe(AT);
  expect(at("2026-07-01 02:00", "Europe/Berlin")).toBe(Date.UTC(2026, 6, 1, 0));
  // The hour that comes twice, and the one that does not come.
  expect(at("2026-10-25 01:59", "Europe/Berlin")).toBe(Date.UTC(2026, 9, 24, 23, 59));
  expect(at("2026-10-25 02:30", "Europe/Berlin")).toBe(Date.UTC(2026, 9, 25, 0, 30));
  expect(at("2026-10-25 03:00", "Europe/Berlin")).toBe(Date.UTC(2026, 9, 25, 2));
  expect(at("2026-03-29 03:00", "Europe/Berlin")).toBe(Date.UTC(2026, 2, 29, 1));
  expect(() => at("2026-11-02", "Berlin")).toThrow(/The zone is "Berlin"/);
  for (const text of ["20261102", "20261102030405", "-1"])
    expect(() => at(text, "UTC"), text).toThrow(/is not a time/);
});

test("another relay's usage names its calls as its answers do", () => {
  const csv = `time,request_id,operation_id,model,input_tokens,output_tokens,charged_points\n2026-11-02T03:04:05.000Z,req_1,0193-ab,RelayV1,3,4,1.5`;
  expect(readBill(csv, "relay").lines[0]).toMatchObject({
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
        end_time: AT / 1000 + 86_400,
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
      spanMs: 86_400_000,
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
      "time,model,input_tokens\n2026-11-02,m,many",
      "csv",
      /Line 2: "many" is not a whole number/,
    ],
    [
      "no amount",
      "time,model,cost\n2026-11-02,m,\n2026-11-02,m,free",
      "csv",
      /Line 3: "free" is not an amount/,
    ],
    ["tokens below zero", "time,model,input_tokens\n2026-11-02,m,-5", "csv", /"-5" is not a whole/],
    [
      "a decimal comma",
      'time,model,input_tokens\n2026-11-02,m,"1,5"',
      "csv",
      /"1,5" is not a whole/,
    ],
    ["no CSV", 'time,model\n"1,m', "csv", /is no CSV/],
    ["no JSON", "{", "openai", /is no JSON/],
    ["a refusal in place of usage", '{"error":{"message":"no"}}', "openai", /no `data`/],
    [
      "usage that is not by model",
      '{"data":[{"start_time":1793588645,"results":[{"input_tokens":5,"model":null}]}]}',
      "openai",
      /grouped by model/,
    ],
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
