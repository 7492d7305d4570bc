"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { DownloadButton } from "@/components/ui/download-button";
import { ForRole } from "@/components/ui/for-role";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, Row } from "@/components/ui/table";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { invoiceAddress, useInvoices, useMakeInvoice } from "@/lib/client/invoices";
import { monthName } from "@/lib/client/times";
import type { InvoicesView, InvoiceView } from "@/lib/contract/invoices";
import { BillingDialog } from "./billing-dialog";

/** The billing details, and a row for each month: its invoice, or a button that makes it. */
export function InvoicesCard() {
  const t = useTranslations("points.invoices");
  const query = useInvoices();
  const { invoices = [], months = [], billing = null } = query.data ?? {};
  const [isOpen, setIsOpen] = useState(false);
  const rows = [
    ...months.map((month) => ({
      month,
      row: <OpenMonth key={month} month={month} isReady={billing !== null} />,
    })),
    ...invoices.map((invoice) => ({
      month: invoice.month,
      row: <InvoiceRow key={invoice.id} invoice={invoice} />,
    })),
  ].sort((one, other) => (one.month < other.month ? 1 : -1));
  return (
    <ListCard
      id="invoices"
      className="mt-3.5"
      title={t("title")}
      note={t("note")}
      aside={
        query.data ? (
          <ForRole needs="topUp">
            <Button onClick={() => setIsOpen(true)}>{billing ? t("edit") : t("add")}</Button>
          </ForRole>
        ) : null
      }
      query={query}
      empty={t("none")}
      columns={
        <>
          <ColumnHead>{t("month")}</ColumnHead>
          <ColumnHead isNumber>{t("number")}</ColumnHead>
          <ColumnHead>{t("made")}</ColumnHead>
          <ColumnHead>
            <span className="sr-only">{t("download")}</span>
          </ColumnHead>
        </>
      }
      rows={rows.map(({ row }) => row)}
    >
      {query.data ? <Details billing={billing} /> : null}
      {isOpen ? <BillingDialog onClose={() => setIsOpen(false)} billing={billing} /> : null}
    </ListCard>
  );
}

function Details({ billing }: Pick<InvoicesView, "billing">) {
  const t = useTranslations("points.invoices");
  const lines = billing ? [billing.name, billing.address, billing.taxNumber].filter(Boolean) : [];
  return (
    <div className="px-5 pb-4 text-sm">
      {billing ? (
        <address className="wrap-anywhere not-italic">{lines.join(" · ")}</address>
      ) : (
        <p className="text-muted">{t("noDetails")}</p>
      )}
    </div>
  );
}

function InvoiceRow({ invoice: { id, number, month, createdAt } }: { invoice: InvoiceView }) {
  const t = useTranslations("points.invoices");
  const locale = useLocale();
  return (
    <Row>
      <Cell className="font-medium">{monthName(month, locale)}</Cell>
      <Cell isNumber label={t("number")}>
        {number}
      </Cell>
      <Cell label={t("made")}>
        <RelativeTime at={createdAt} />
      </Cell>
      <Cell className="rows:text-right">
        <DownloadButton
          href={invoiceAddress(id)}
          label={t("downloadLabel", { number })}
          size="small"
        >
          {t("download")}
        </DownloadButton>
      </Cell>
    </Row>
  );
}

function OpenMonth({ month, isReady }: { month: string; isReady: boolean }) {
  const t = useTranslations("points.invoices");
  const showFailure = useFailureToast("purchase");
  const locale = useLocale();
  const make = useMakeInvoice();
  const name = monthName(month, locale);
  return (
    <Row>
      <Cell className="font-medium">{name}</Cell>
      <Cell isNumber label={t("number")}>
        <span aria-hidden>–</span>
      </Cell>
      <Cell label={t("made")} className="text-muted">
        {t("notMade")}
      </Cell>
      <Cell className="rows:text-right">
        {isReady ? (
          <ForRole needs="topUp">
            <Button
              size="small"
              disabled={make.isPending}
              aria-label={t("makeLabel", { month: name })}
              onClick={() => make.mutate(month, { onError: showFailure })}
            >
              {t("make")}
            </Button>
          </ForRole>
        ) : null}
      </Cell>
    </Row>
  );
}
