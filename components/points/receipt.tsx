"use client";

import { ArrowLeft, Printer } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DownloadButton } from "@/components/ui/download-button";
import { Link } from "@/components/ui/link";
import { dayName } from "@/lib/client/days";
import { receiptAddress } from "@/lib/client/invoices";
import { moneyText } from "@/lib/client/money-text";
import { exactPoints } from "@/lib/client/points-display";
import type { Party } from "@/lib/contract/invoices";
import type { PaymentView } from "@/lib/contract/payments";

interface ReceiptProps {
  seller: Party;
  buyer: Party;
  accountId: string;
  payment: Pick<
    PaymentView,
    "id" | "number" | "packageName" | "amount" | "currency" | "refunded" | "points" | "takenBack"
  > & {
    paidAt: string;
  };
}

/** A printable receipt. Nothing else of the page is printed. */
export function Receipt({ seller, buyer, accountId, payment }: ReceiptProps) {
  const t = useTranslations("topup.receiptPage");
  const locale = useLocale();
  const money = (amount: number) => moneyText(amount, payment.currency, locale);
  return (
    <>
      <div className="mb-4 flex max-w-2xl items-center justify-between gap-3 print:hidden">
        <Link
          href="/points"
          className="inline-flex items-center gap-1.5 rounded-sm text-muted text-sm hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {t("back")}
        </Link>
        <div className="flex gap-2">
          <DownloadButton href={receiptAddress(payment.id)}>{t("pdf")}</DownloadButton>
          <Button onClick={() => window.print()}>
            <Printer aria-hidden />
            {t("print")}
          </Button>
        </div>
      </div>
      <Card
        aria-labelledby="receipt"
        className="max-w-2xl px-6 py-6 sm:px-9 sm:py-8 print:border-0 print:shadow-none"
      >
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h1 id="receipt" className="text-2xl">
            {t("heading", { number: payment.number })}
          </h1>
        </div>
        <dl className="mt-5 grid gap-x-6 gap-y-0.5 text-sm sm:grid-cols-[auto_1fr] sm:gap-y-2.5">
          <Fact name={t("day")}>{dayName(payment.paidAt.slice(0, 10), locale, true)}</Fact>
          <PartyFact name={t("seller")} party={seller} />
          <PartyFact name={t("buyer")} party={buyer} />
          <Fact name={t("account")}>
            <code>{accountId}</code>
          </Fact>
          <Fact name={t("payment")}>
            <code>{payment.id}</code>
          </Fact>
        </dl>
        <dl className="mt-6 border-t text-sm">
          <Line
            name={t("item", { name: payment.packageName, points: exactPoints(payment.points) })}
            isStrong={payment.refunded === 0}
          >
            {money(payment.amount)}
          </Line>
          {payment.refunded > 0 ? (
            <>
              <Line name={t("refunded", { points: exactPoints(payment.takenBack) })}>
                {money(-payment.refunded)}
              </Line>
              <Line name={t("total")} isStrong>
                {money(payment.amount - payment.refunded)}
              </Line>
            </>
          ) : null}
        </dl>
        <p className="mt-5 text-muted text-sm">{t("note")}</p>
      </Card>
    </>
  );
}

function PartyFact({ name, party }: { name: string; party: Party }) {
  const t = useTranslations("topup.receiptPage");
  const { address, taxNumber } = party;
  return (
    <Fact name={name}>
      {party.name}
      {address ? <span className="block">{address}</span> : null}
      {taxNumber ? <span className="block">{t("taxNumber", { number: taxNumber })}</span> : null}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere max-sm:mb-2.5">{children}</dd>
    </div>
  );
}

interface LineProps {
  name: string;
  isStrong?: boolean;
  children: ReactNode;
}

function Line({ name, isStrong = false, children }: LineProps) {
  return (
    <div className={`flex justify-between gap-6 border-b py-3 ${isStrong ? "font-medium" : ""}`}>
      <dt className="wrap-anywhere">{name}</dt>
      <dd className="num whitespace-nowrap">{children}</dd>
    </div>
  );
}
