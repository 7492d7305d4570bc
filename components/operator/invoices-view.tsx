"use client";

import { useSearchParams } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { FilterChoice } from "@/components/lists/filter-choice";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { DownloadButton } from "@/components/ui/download-button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, HiddenHead, NumberCell, NumberHead, Row } from "@/components/ui/table";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { type Sorts, useSorted } from "@/components/ui/use-sorted";
import { moneyText } from "@/lib/client/money-text";
import { anyInvoiceAddress, useAllInvoices } from "@/lib/client/operator-invoices";
import { readPoints } from "@/lib/client/points-display";
import { monthName } from "@/lib/client/times";
import { useOperatorWrite } from "@/lib/client/write";
import {
  type OperatorInvoices,
  type OperatorInvoiceView,
  operatorInvoiceEndpoints,
} from "@/lib/contract/operator-invoices";
import { AccountLink } from "./account-link";
import { SearchRow } from "./search-row";

/** The invoices of all accounts. The URL keeps the search and the month. */
export function InvoicesView() {
  const t = useTranslations("operator.invoices");
  const locale = useLocale();
  const search = useSearchParams();
  const [q, month] = [search.get("q") ?? "", search.get("month")];
  const query = useAllInvoices({ q: q || undefined, month: month ?? undefined });
  const [first] = query.data?.pages ?? [];
  const invoices = query.data?.pages.flatMap((page) => page.invoices) ?? [];
  const { rows, sort } = useSorted(
    invoices,
    {
      account: ({ email }) => email,
      number: ({ number }) => number,
      month: ({ month }) => month,
      charges: ({ charges }) => readPoints(charges),
    },
    !query.hasNextPage,
  );
  const months = [...new Set([...(month ? [month] : []), ...(first?.months ?? [])])];
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      {first && first.due.count > 0 ? <Due due={first.due} /> : null}
      <SearchRow label={t("searchLabel")} value={q}>
        <FilterChoice
          label={t("month")}
          name="month"
          value={month}
          any={t("anyMonth")}
          options={months.map((value) => ({ value, label: monthName(value, locale) }))}
        />
      </SearchRow>
      <ListCard
        id="all-invoices"
        title={month ? monthName(month, locale) : t("list")}
        note={t("listNote")}
        query={query}
        empty={q === "" && month === null ? t("empty") : t("nothingFound")}
        columns={<Columns sort={sort} />}
        rows={rows.map((invoice) => <InvoiceRow key={invoice.id} invoice={invoice} />)}
      >
        {first?.totals && first.totals.count > 0 ? <Totals totals={first.totals} /> : null}
      </ListCard>
    </>
  );
}

function Columns({ sort }: { sort: Sorts<"account" | "number" | "month" | "charges"> }) {
  const t = useTranslations("operator.invoices");
  return (
    <>
      <ColumnHead {...sort("account")}>{t("account")}</ColumnHead>
      <NumberHead {...sort("number")}>{t("number")}</NumberHead>
      <ColumnHead {...sort("month")}>{t("month")}</ColumnHead>
      <NumberHead {...sort("charges")}>{t("charges")}</NumberHead>
      <ColumnHead isNumber>{t("paid")}</ColumnHead>
      <HiddenHead>{t("download")}</HiddenHead>
    </>
  );
}

function InvoiceRow({ invoice }: { invoice: OperatorInvoiceView }) {
  const t = useTranslations("operator.invoices");
  const locale = useLocale();
  const { id, number, month, accountId, email, buyer, charges, sums, createdAt } = invoice;
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="font-medium">
          <AccountLink id={accountId} email={email} />
        </span>
        <span className="block wrap-anywhere text-muted text-sm">{buyer}</span>
      </Cell>
      <NumberCell label={t("number")}>{number}</NumberCell>
      <Cell label={t("month")}>
        <span className="cards:text-right">
          {monthName(month, locale)}
          <span className="block text-muted text-sm">
            {t.rich("made", { time: () => <RelativeTime at={createdAt} /> })}
          </span>
        </span>
      </Cell>
      <NumberCell label={t("charges")}>
        <PointsText value={charges} />
      </NumberCell>
      <NumberCell label={t("paid")}>
        <Sums sums={sums} />
      </NumberCell>
      <Cell className="rows:text-right">
        <DownloadButton
          href={anyInvoiceAddress(id)}
          label={t("downloadLabel", { number })}
          size="small"
        >
          {t("download")}
        </DownloadButton>
      </Cell>
    </Row>
  );
}

/** One line for each currency; a dash where nothing was paid. */
function Sums({ sums }: Pick<OperatorInvoiceView, "sums">) {
  const locale = useLocale();
  if (sums.length === 0) return <span aria-hidden>–</span>;
  return (
    <span>
      {sums.map(({ amount, currency }) => (
        <span key={currency} className="block">
          {moneyText(amount, currency, locale)}
        </span>
      ))}
    </span>
  );
}

function Totals({ totals }: { totals: NonNullable<OperatorInvoices["totals"]> }) {
  const t = useTranslations("operator.invoices");
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t px-5 py-3 text-sm">
      <Total name={t("count")}>{totals.count}</Total>
      <Total name={t("charges")}>
        <PointsText value={totals.charges} />
      </Total>
      <Total name={t("paid")}>
        <Sums sums={totals.sums} />
      </Total>
    </dl>
  );
}

function Total({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

/** Invoices that a server will make; an operator need not wait for it. */
function Due({ due }: Pick<OperatorInvoices, "due">) {
  const t = useTranslations("operator.invoices");
  const locale = useLocale();
  const showFailure = useFailureToast("operator");
  const write = useOperatorWrite(operatorInvoiceEndpoints.makeDueInvoices);
  return (
    <div className="mb-3.5">
      <Notice tone="note">
        <span className="flex flex-wrap items-center justify-between gap-2.5">
          {t("due", { count: due.count, month: monthName(due.month, locale) })}
          <Button
            size="small"
            isBusy={write.isPending}
            onClick={() => write.mutate({}, { onError: showFailure })}
          >
            {t("makeDue")}
          </Button>
        </span>
      </Notice>
    </div>
  );
}
