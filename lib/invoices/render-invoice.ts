/** The PDF of an invoice, made of its stored figures alone. */
import type { Locale } from "@/messages/locales";
import type { InvoiceFigures } from "../contract/invoices";
import { moneyText } from "../money/currency";
import {
  countText,
  dayText,
  monthText,
  partyLines,
  pointsText,
  type SheetWords,
  sheetWords,
} from "./sheet-words";
import { type Sheet, type Table, writeSheet } from "./write-sheet";

interface Invoice {
  readonly number: string;
  /** Such as `2026-10`. */
  readonly month: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly figures: InvoiceFigures;
}

const taken = (points: string) => (/[1-9]/.test(points) ? `-${points}` : points);

function balanceTable(t: SheetWords, figures: InvoiceFigures): Table {
  const { opening, credits, takenBack, charges, closing } = figures;
  return {
    title: t("balance"),
    columns: [
      { name: "", share: 0.7 },
      { name: t("points"), share: 0.3, isNumber: true },
    ],
    rows: [
      [t("opening"), pointsText(opening)],
      [t("credits"), pointsText(credits)],
      [t("takenBack"), pointsText(taken(takenBack))],
      [t("charges"), pointsText(taken(charges))],
    ],
    sums: [[t("closing"), pointsText(closing)]],
  };
}

function usageTable(t: SheetWords, { models, charges }: InvoiceFigures): Table {
  return {
    title: t("usage"),
    columns: [
      { name: t("model"), share: 0.5 },
      { name: t("requests"), share: 0.2, isNumber: true },
      { name: t("points"), share: 0.3, isNumber: true },
    ],
    rows: models.map(({ model, requests, points }) => [
      model === "" ? t("otherModels") : model,
      countText(requests),
      pointsText(points),
    ]),
    sums: [[t("charges"), "", pointsText(charges)]],
  };
}

function entriesTable(t: SheetWords, { entries }: InvoiceFigures): Table {
  return {
    title: t("entries"),
    columns: [
      { name: t("kind"), share: 0.5 },
      { name: t("count"), share: 0.2, isNumber: true },
      { name: t("points"), share: 0.3, isNumber: true },
    ],
    rows: entries.map(({ kind, count, points }) => [
      t(`kinds.${kind}`),
      countText(count),
      pointsText(points),
    ]),
  };
}

function paymentsTable(t: SheetWords, figures: InvoiceFigures, locale: Locale): Table {
  const { payments, morePayments, refunds, sums } = figures;
  return {
    title: t("payments"),
    columns: [
      { name: t("day"), share: 0.22 },
      { name: t("what"), share: 0.38 },
      { name: t("points"), share: 0.2, isNumber: true },
      { name: t("amount"), share: 0.2, isNumber: true },
    ],
    rows: [
      ...payments.map(({ number, day, name, points, amount, currency }) => [
        dayText(day, locale),
        t("payment", { name, number }),
        pointsText(points),
        moneyText(amount, currency, locale),
      ]),
      ...refunds.map(({ number, amount, currency }) => [
        "",
        t("refund", { number }),
        "",
        moneyText(-amount, currency, locale),
      ]),
    ],
    sums: sums.map(({ amount, currency }) => [
      t("paid"),
      "",
      "",
      moneyText(amount, currency, locale),
    ]),
    ...(morePayments > 0 && { note: t("morePayments", { count: morePayments }) }),
  };
}

/** What the paper says. */
export function invoiceSheet(invoice: Invoice, locale: Locale): Sheet {
  const { number, month, createdAt, accountId, figures } = invoice;
  const t = sheetWords(locale);
  const hasPayments = figures.payments.length + figures.refunds.length > 0;
  return {
    title: t("title", { number }),
    madeAt: new Date(createdAt),
    parties: [
      ...(figures.seller.name === ""
        ? []
        : [{ title: t("seller"), lines: partyLines(t, figures.seller, "") }]),
      { title: t("buyer"), lines: partyLines(t, figures.buyer, accountId) },
    ],
    facts: [
      [t("number"), number],
      [t("month"), monthText(month, locale)],
      [t("made"), dayText(createdAt.slice(0, 10), locale)],
      [t("account"), accountId],
    ],
    tables: [
      balanceTable(t, figures),
      ...(figures.models.length > 0 ? [usageTable(t, figures)] : []),
      ...(figures.entries.length > 0 ? [entriesTable(t, figures)] : []),
      ...(hasPayments ? [paymentsTable(t, figures, locale)] : []),
    ],
    note: t("note"),
  };
}

export const renderInvoice = (invoice: Invoice, locale: Locale) =>
  writeSheet(invoiceSheet(invoice, locale));
