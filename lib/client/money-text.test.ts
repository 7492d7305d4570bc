import { expect, test } from "vitest";
import { decimalMoneyText, majorOf, millionthsText, minorOf, moneyText } from "./money-text";

test.each([
  ["9.99", "eur", 999],
  ["10", "eur", 1000],
  ["0.5", "usd", 50],
  ["1500", "jpy", 1500],
  ["1.250", "kwd", 1250],
])("%s %s is %i of the smallest unit, and back", (text, currency, amount) => {
  expect(minorOf(text, currency)).toBe(amount);
  expect(minorOf(majorOf(amount, currency), currency)).toBe(amount);
});

test.each([
  ["9.999", "eur"],
  ["1.5", "jpy"],
  ["-1", "eur"],
  ["1e3", "eur"],
  ["0", "eur"],
  ["", "eur"],
  ["1", "euro"],
  ["99999999", "eur"],
])("%s %s is not a price", (text, currency) => expect(minorOf(text, currency)).toBeNull());

test("amounts are formatted as their currency requires", () => {
  expect(moneyText(999, "eur", "en")).toBe("€9.99");
  expect(moneyText(1500, "jpy", "en")).toBe("¥1,500");
  expect(millionthsText("12345678", "USD", "en")).toBe("$12.34");
  expect(decimalMoneyText("4.414400", "EUR", "en")).toBe("€4.4144");
  expect(decimalMoneyText("0.05", "USD", "zh-CN")).toBe("US$0.05");
});
