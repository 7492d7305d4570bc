/** The PDF of a payment's receipt. */
import type { Locale } from "@/messages/locales";
import type { Party } from "../contract/invoices";
import { moneyText } from "../money/currency";
import { formatPoints, type Micropoints } from "../money/points";
import { dayText, partyLines, pointsText, sheetWords } from "./sheet-words";
import { type Sheet, writeSheet } from "./write-sheet";

interface Receipt {
  readonly seller: Party;
  /** Null where the account has no billing details. */
  readonly buyer: Party | null;
  readonly payment: {
    readonly id: string;
    readonly number: string;
    readonly accountId: string;
    readonly packageName: string;
    readonly points: Micropoints;
    readonly amount: number;
    readonly currency: string;
    readonly refunded: number;
    readonly takenBack: Micropoints;
    readonly paidAt: Date;
  };
}

export function receiptSheet({ seller, buyer, payment }: Receipt, locale: Locale): Sheet {
  const t = sheetWords(locale);
  const { number, packageName: name, amount, currency, refunded } = payment;
  const money = (value: number) => moneyText(value, currency, locale);
  return {
    title: t("receipt", { number }),
    madeAt: payment.paidAt,
    parties: [
      ...(seller.name === "" ? [] : [{ title: t("seller"), lines: partyLines(t, seller, "") }]),
      { title: t("buyer"), lines: partyLines(t, buyer, payment.accountId) },
    ],
    facts: [
      [t("number"), number],
      [t("day"), dayText(payment.paidAt.toISOString().slice(0, 10), locale)],
      [t("account"), payment.accountId],
      [t("paymentId"), payment.id],
    ],
    tables: [
      {
        title: t("payments"),
        columns: [
          { name: t("what"), share: 0.5 },
          { name: t("points"), share: 0.28, isNumber: true },
          { name: t("amount"), share: 0.22, isNumber: true },
        ],
        rows: [
          [t("payment", { name, number }), pointsText(formatPoints(payment.points)), money(amount)],
          ...(refunded > 0
            ? [
                [
                  t("refund", { number }),
                  pointsText(formatPoints(-payment.takenBack)),
                  money(-refunded),
                ],
              ]
            : []),
        ],
        sums: [[t("paid"), "", money(amount - refunded)]],
      },
    ],
    note: t("receiptNote"),
  };
}

export const renderReceipt = (receipt: Receipt, locale: Locale) =>
  writeSheet(receiptSheet(receipt, locale));
