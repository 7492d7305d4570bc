import { createTranslator } from "next-intl";
import { describe, expect, it, test } from "vitest";
import en from "@/messages/en.json";
import chinese from "@/messages/zh-CN.json";
import { failures } from "../failures/failure-table";
import { faultNames } from "../failures/value-faults";
import { createFailureText, type FailureContext, type Say } from "./failure-text";
import { RequestError } from "./request-error";

/** What the client itself gives a failure that never reached the server, or came back broken. */
const ownCodes = ["offline", "unreadable", "broken_off"];
const codes = [...Object.keys(failures), ...ownCodes];
const contexts: FailureContext[] = [
  "page",
  "filter",
  "chat",
  "studio",
  "cancel",
  "voucher",
  "purchase",
  "key",
  "operator",
];
const catalogues = { en, "zh-CN": chinese };
const languages = ["en", "zh-CN"] as const;
type Language = (typeof languages)[number];

function textsIn(locale: Language, context: FailureContext = "page") {
  const say = createTranslator({
    locale,
    messages: catalogues[locale],
    namespace: "failures",
    onError(error) {
      throw error;
    },
  });
  return createFailureText(say as Say, locale, context);
}

const refusal = (code: string, facts = {}, param: string | null = null) =>
  new RequestError(400, code, "The server says why.", param, null, null, facts);

/** Every value that a fault may carry. */
const values = {
  sent: 3,
  bound: 2,
  min: 1,
  max: 60,
  count: 2,
  pixels: 100,
  expected: "integer",
  options: "480p, 720p",
  fields: "colour",
  model: "Super-Relay",
  example: "2048x2048",
  ratio: "16:9",
  size: "2560x1440",
  flag: "--dur abc",
  taken: "main",
  from: "https://a.example",
  to: "https://b.example",
  points: "12.5",
  address: "10.0.0.0/33",
  zone: "Mars/Olympus",
  by: "ada@example.com",
  at: Date.UTC(2026, 10, 25, 12),
};

const rawCode = /[a-z]+_[a-z]+/;
const han = /\p{Script=Han}/u;

describe.each(languages)("the texts of failures in %s", (locale) => {
  it("exist for every code, wherever it happens, and never show the code", () => {
    for (const context of contexts)
      for (const code of codes) {
        const text = textsIn(locale, context)(refusal(code));
        expect(text, `${code} in ${context}`).not.toMatch(rawCode);
        expect(text, `${code} in ${context}`).toMatch(locale === "en" ? /\w{3}/ : han);
      }
  });

  it("exist for no code that is not there", () => {
    expect(Object.keys(catalogues[locale].failures.codes).sort()).toEqual(codes.sort());
    for (const [context, own] of Object.entries(catalogues[locale].failures.in)) {
      expect(contexts).toContain(context);
      for (const code of Object.keys(own)) expect(codes).toContain(code);
    }
  });

  it("exist for every fault, with its names and numbers", () => {
    expect(Object.keys(catalogues[locale].failures.faults).sort()).toEqual([...faultNames].sort());
    for (const name of faultNames) {
      const text = textsIn(locale)(refusal("invalid_value", { fault: { ...values, name } }));
      expect(text).not.toMatch(/[{}]|failures\./);
      if (locale === "zh-CN") expect(text).toMatch(han);
    }
  });

  it("are said for a code that this page does not know", () => {
    const text = textsIn(locale)(refusal("brand_new_code"));
    expect(text).not.toMatch(rawCode);
    expect(text).toBe(catalogues[locale].failures.refused);
  });
});

test("a voucher's refusal says what is wrong with the code, and never speaks of filters", () => {
  const fault = { name: "voucher_used" };
  const error = refusal("invalid_value", { fault }, "code");
  expect(textsIn("en", "voucher")(error, true)).toBe("This code has already been used.");
  expect(textsIn("zh-CN", "voucher")(error, true)).toBe("此券码已被使用。");
  for (const context of contexts.filter((each) => each !== "filter"))
    for (const locale of languages)
      expect(textsIn(locale, context)(refusal("invalid_value"))).not.toMatch(/filter|筛选/);
});

test("a cancel that fails says that the task goes on, not that nothing was charged", () => {
  for (const code of ["upstream_failed", "upstream_timeout"]) {
    expect(textsIn("en", "cancel")(refusal(code))).toMatch(/It goes on, and its points stay held/);
    expect(textsIn("zh-CN", "cancel")(refusal(code))).toMatch(/任务继续进行/);
  }
});

test("a value outside its bounds is said with the field, what was sent and what is allowed", () => {
  const fault = { name: "too_large", sent: 3, bound: 2 };
  const error = refusal("invalid_value", { fault }, "temperature");
  expect(textsIn("en", "chat")(error)).toBe("Temperature: 3 is too high. The maximum is 2.");
  expect(textsIn("zh-CN", "chat")(error)).toBe("温度：3 过大，最大为 2。");
  expect(textsIn("en", "chat")(error, true)).toBe("3 is too high. The maximum is 2.");
});

test("an error in a part of a field names the field; a fault that names its own subject is not prefixed", () => {
  const short = { name: "too_short", sent: 0, bound: 1 };
  const part = refusal("invalid_value", { fault: short }, "messages[0].content");
  expect(textsIn("zh-CN", "chat")(part)).toBe("消息：0 个字符过少，至少 1 个。");
  const flag = { name: "flag_wrong", flag: "--dur long" };
  const whole = refusal("invalid_value", { fault: flag }, "content[0].text");
  expect(textsIn("zh-CN", "studio")(whole)).toBe("提示词中的参数 --dur long 无效。");
});

test("missing points are said with what is needed, what is there and what is missing", () => {
  const facts = { required_points: 13.12, available_points: 2.5, held_points: 0 };
  const error = refusal("insufficient_points", facts);
  expect(textsIn("en", "chat")(error)).toBe(
    "This request needs 13.12 points. You have 2.50, so 10.62 are missing.",
  );
  expect(textsIn("zh-CN", "chat")(error)).toBe("此请求需要 13.12 积分，可用 2.50，还差 10.62。");
});

test("the server's own English is shown to readers of English only", () => {
  const error = refusal("unsupported_value", {}, "voice");
  expect(textsIn("en", "studio")(error)).toBe("The server says why.");
  expect(textsIn("zh-CN", "studio")(error)).toBe("voice：有参数的值不受该模型支持。");
});

test("a wait is said in seconds or minutes, and not at all when it is over at once", () => {
  const after = (seconds: number, status: number) =>
    textsIn("en")(new RequestError(status, "service_busy", "", null, null, seconds));
  expect(after(2, 503)).toBe("The server is busy right now. Try again.");
  expect(after(2, 429)).toBe("The server is busy right now. Try again. Try again in 2 seconds.");
  expect(after(600, 429)).toMatch(/Try again in 10 minutes\.$/);
});
