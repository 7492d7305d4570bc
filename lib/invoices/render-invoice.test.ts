import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { InvoiceFigures } from "../contract/invoices";
import { invoiceSheet, renderInvoice } from "./render-invoice";
import { receiptSheet } from "./render-receipt";

const seller = { name: "中继有限公司", address: "北京市朝阳区 1 号", taxNumber: "91110105" };
const buyer = { name: "Żółta Łódź", address: "Große Straße 1, Ελλάδα", taxNumber: "" };
const figures: InvoiceFigures = {
  ...{ version: 1, seller, buyer, morePayments: 0 },
  ...{ opening: "1234.567890", credits: "600.000000", takenBack: "33.333333" },
  ...{ charges: "812.000101", closing: "989.234456" },
  models: [
    { model: "RelayV1", requests: 12345, points: "812.000100" },
    { model: "", requests: 1, points: "0.000001" },
  ],
  entries: [{ kind: "clawback", count: 1, points: "-33.333333" }],
  payments: [
    {
      number: "17",
      day: "2026-10-03",
      name: "Small",
      points: "600.000000",
      amount: 999,
      currency: "eur",
    },
  ],
  refunds: [{ number: "17", amount: 333, currency: "eur" }],
  sums: [{ amount: 666, currency: "eur" }],
};
const invoice = {
  ...{ number: "42", month: "2026-10", accountId: "acct_1", figures },
  createdAt: "2026-11-01T01:00:00.000Z",
};

/** The code points of a TrueType font, from its character map of format 12 or 4. */
function lettersOf(font: Buffer): (code: number) => boolean {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, at) => 12 + at * 16);
  const entry = tables.find((at) => font.toString("latin1", at, at + 4) === "cmap") ?? 0;
  const cmap = font.readUInt32BE(entry + 8);
  const maps = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, at) => cmap + font.readUInt32BE(cmap + 8 + at * 8),
  );
  const wide = maps.find((at) => font.readUInt16BE(at) === 12);
  const narrow = maps.find((at) => font.readUInt16BE(at) === 4) ?? 0;
  if (wide !== undefined) {
    const groups = Array.from(
      { length: font.readUInt32BE(wide + 12) },
      (_, at) => wide + 16 + at * 12,
    );
    return (code) =>
      groups.some((at) => code >= font.readUInt32BE(at) && code <= font.readUInt32BE(at + 4));
  }
  const count = font.readUInt16BE(narrow + 6) / 2;
  return (code) =>
    Array.from({ length: count }, (_, at) => narrow + 14 + at * 2).some(
      (end) => code <= font.readUInt16BE(end) && code >= font.readUInt16BE(end + 2 + count * 2),
    );
}

const has = lettersOf(readFileSync("public/fonts/noto-sans-sc.ttf"));

test("an invoice shows each figure with all its decimals, both parties, and what was paid less what was refunded", () => {
  const { title, parties, tables } = invoiceSheet(invoice, "en");
  expect(title).toBe("Invoice 42");
  expect(parties).toEqual([
    { title: "From", lines: ["中继有限公司", "北京市朝阳区 1 号", "Tax number: 91110105"] },
    { title: "To", lines: ["Żółta Łódź", "Große Straße 1, Ελλάδα"] },
  ]);
  expect(tables.map(({ rows, sums }) => [rows, sums])).toEqual([
    [
      [
        ["At the beginning of the month", "1,234.567890"],
        ["Added", "600.000000"],
        ["Taken back", "−33.333333"],
        ["Charged for requests", "−812.000101"],
      ],
      [["At the end of the month", "989.234456"]],
    ],
    [
      [
        ["RelayV1", "12,345", "812.000100"],
        ["All other models", "1", "0.000001"],
      ],
      [["Charged for requests", "", "812.000101"]],
    ],
    [[["Taken back after refunds and disputes", "1", "−33.333333"]], undefined],
    [
      [
        ["3 October 2026", "Small, receipt 17", "600.000000", "€9.99"],
        ["", "Refund, receipt 17", "", "-€3.33"],
      ],
      [["Paid", "", "", "€6.66"]],
    ],
  ]);
});

test("without a seller, and without billing details, the paper names what is known", () => {
  const none = { name: "", address: "", taxNumber: "" };
  const payment = {
    ...{ id: "pay_1", number: "7", accountId: "acct_1", packageName: "Small", points: 1n },
    ...{ amount: 500, currency: "jpy", refunded: 0, takenBack: 0n, paidAt: new Date(0) },
  };
  const { parties, tables } = receiptSheet({ seller: none, buyer: null, payment }, "zh-CN");
  expect(parties).toEqual([{ title: "购买方", lines: ["acct_1"] }]);
  expect(tables[0]?.sums).toEqual([["已付", "", "JP¥500"]]);
});

test("the font has the letters of European and Chinese names, and of all that is printed", () => {
  const names =
    "ÀÉÎÕÜßæœøåłŁżŻźśńęąćčřšžýůőűğışțșāēķļņģİΑΒΓαβγάЖЙщыё€£¥₽₹–—’“”（），。：￥公司税号臺灣龍鑫";
  const printed = JSON.stringify([invoiceSheet(invoice, "zh-CN"), invoiceSheet(invoice, "en")]);
  const missing = [...`${names}${printed}`].filter((letter) => !has(letter.codePointAt(0) ?? 0));
  expect(missing).toEqual([]);
  expect(has(0x1f600)).toBe(false);
});

test("the same invoice is the same bytes; a long one has as many pages as it needs", async () => {
  const once = Buffer.from(await renderInvoice(invoice, "en"));
  expect(Buffer.from(await renderInvoice(invoice, "en"))).toEqual(once);
  const pagesOf = (bytes: Uint8Array) =>
    [
      ...Buffer.from(bytes)
        .toString("latin1")
        .matchAll(/\/Type \/Page\b/g),
    ].length;
  expect(pagesOf(once)).toBe(1);
  const models = Array.from({ length: 500 }, (_, at) => ({
    ...{ model: `${at}-${"long name ".repeat(30)}`, requests: 1, points: "1.000000" },
  }));
  const long = await renderInvoice({ ...invoice, figures: { ...figures, models } }, "en");
  expect(pagesOf(long)).toBeGreaterThan(30);
});

test("no paper has our name, in its text or in the facts of its file", async () => {
  const payment = {
    ...{ id: "pay_1", number: "7", accountId: "acct_1", packageName: "Small", points: 1n },
    ...{ amount: 500, currency: "jpy", refunded: 0, takenBack: 0n, paidAt: new Date(0) },
  };
  for (const locale of ["en", "zh-CN"] as const) {
    const sheets = [
      invoiceSheet(invoice, locale),
      receiptSheet({ seller, buyer: null, payment }, locale),
    ];
    expect(JSON.stringify(sheets).replaceAll("RelayV1", "")).not.toMatch(/relay/i);
    expect(Buffer.from(await renderInvoice(invoice, locale)).toString("latin1")).not.toMatch(
      /relay/i,
    );
  }
});
