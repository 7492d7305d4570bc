/** Words and figures as invoices and receipts show them. */
import { createTranslator } from "next-intl";
import en from "@/messages/en.json";
import type { Locale } from "@/messages/locales";
import chinese from "@/messages/zh-CN.json";
import type { Party } from "../contract/invoices";

type Texts = Pick<typeof en, "invoice">;
const texts: Readonly<Record<Locale, Texts>> = { en, "zh-CN": chinese };

export const sheetWords = (locale: Locale) =>
  createTranslator({
    locale,
    messages: { invoice: texts[locale].invoice },
    namespace: "invoice",
  });
export type SheetWords = ReturnType<typeof sheetWords>;

const inThousands = new Intl.NumberFormat("en");

/** `-8412.500000` → `−8,412.500000`: all decimals, so that the figures can be added up. */
export function pointsText(points: string): string {
  const [, sign, whole = "0", decimals = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(points) ?? [];
  return `${sign ? "−" : ""}${inThousands.format(BigInt(whole))}${decimals}`;
}

export const countText = (count: number) => inThousands.format(count);

/** A party's lines on paper; `otherwise` where no details were saved. */
export function partyLines(t: SheetWords, party: Party | null, otherwise: string): string[] {
  if (party === null || party.name === "") return [otherwise];
  const { name, address, taxNumber } = party;
  return [name, address, taxNumber && t("taxNumber", { number: taxNumber })].filter(Boolean);
}

/** `2026-10-03` → `3 October 2026`. */
export const dayText = (day: string, locale: Locale) =>
  new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    dateStyle: "long",
    timeZone: "UTC",
  }).format(new Date(`${day}T00:00:00Z`));

/** `2026-10` → `October 2026`. */
export const monthText = (month: string, locale: Locale) =>
  new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    year: "numeric",
    month: "long",
    timeZone: "UTC",
  }).format(new Date(`${month}-01T00:00:00Z`));
