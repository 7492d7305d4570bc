/** The PDF of an invoice, made of its stored figures alone: the same bytes each time. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTranslator } from "next-intl";
import en from "@/messages/en.json";
import type { Locale } from "@/messages/locales";
import chinese from "@/messages/zh-CN.json";
import type { InvoiceFigures } from "../contract/invoices";
import { readWoff } from "./read-woff";
import { type Sheet, writeSheet } from "./write-sheet";

interface Invoice {
  readonly number: string;
  /** Such as `2026-10`. */
  readonly month: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly figures: InvoiceFigures;
}

const texts = { en: en.invoice, "zh-CN": chinese.invoice };

/** Latin and Chinese letters, under the SIL Open Font License. */
const FONT = "public/fonts/noto-sans-sc.woff";

const say = (locale: Locale) =>
  createTranslator({ locale, messages: { invoice: texts[locale] }, namespace: "invoice" });

const money = (amount: number, currency: string, locale: Locale) => {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  // The payment provider's smallest unit, where it differs from the currency's own.
  const digits =
    ({ isk: 2, ugx: 2 } as Record<string, number>)[currency] ??
    format.resolvedOptions().maximumFractionDigits ??
    2;
  return format.format(amount / 10 ** digits);
};
