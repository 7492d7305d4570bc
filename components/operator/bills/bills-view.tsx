"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { changeAddress } from "@/components/lists/address";
import { ListCard } from "@/components/lists/list-card";
import { After } from "@/components/ui/after";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, HiddenHead, NumberCell, NumberHead, Row } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { billsQuery } from "@/lib/client/operator-bills";
import { upstreamMoney } from "@/lib/client/points-display";
import type { UpstreamBillView } from "@/lib/contract/operator-bills";
import { BillCard } from "./bill-card";
import { BillDialog } from "./bill-dialog";
import { PriceListsCard } from "./price-lists-card";
import { UpstreamRatesCard } from "./upstream-rates-card";

/** The bills of upstreams that were compared with our own book. The URL keeps the chosen one. */
export function BillsView() {
  const t = useTranslations("operator.bills");
  const query = useQuery(billsQuery);
  const chosen = useSearchParams().get("bill");
  const [isComparing, setIsComparing] = useState(false);
  const { rows, sort } = useSorted(query.data?.bills ?? [], {
    name: ({ name }) => name,
    made: ({ madeAt }) => Date.parse(madeAt),
    difference: ({ difference }) => Number(difference),
  });
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button look="go" onClick={() => setIsComparing(true)}>
          {t("compare")}
        </Button>
      </PageHead>
      <div className="grid grid-cols-1 gap-3.5">
        <ListCard
          id="bills"
          isWide
          title={t("list")}
          note={t("listNote")}
          query={query}
          empty={t("empty")}
          columns={
            <>
              <ColumnHead {...sort("name")}>{t("bill")}</ColumnHead>
              <ColumnHead isNumber>{t("agreed")}</ColumnHead>
              <ColumnHead isNumber>{t("billed")}</ColumnHead>
              <ColumnHead isNumber>{t("owed")}</ColumnHead>
              <NumberHead {...sort("difference")}>{t("difference")}</NumberHead>
              <ColumnHead {...sort("made")}>{t("made")}</ColumnHead>
              <HiddenHead>{t("show")}</HiddenHead>
            </>
          }
          rows={rows.map((bill) => <BillRow key={bill.id} bill={bill} />)}
        />
        {chosen === null ? null : <BillCard id={chosen} />}
        <After of={[query]} className="grid grid-cols-1 gap-3.5">
          <PriceListsCard />
          <UpstreamRatesCard />
        </After>
      </div>
      {isComparing ? <BillDialog onClose={() => setIsComparing(false)} /> : null}
    </>
  );
}

function BillRow({ bill }: { bill: UpstreamBillView }) {
  const t = useTranslations("operator.bills");
  const { id, name, channel, currency, lines, agreed, billed, owed, difference, madeAt } = bill;
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="wrap-anywhere font-medium">{name}</span>
        <span className="block wrap-anywhere text-muted text-sm">{channel}</span>
      </Cell>
      <NumberCell label={t("agreed")}>{t("ofLines", { agreed, lines })}</NumberCell>
      <NumberCell label={t("billed")}>
        {upstreamMoney(billed)} {currency}
      </NumberCell>
      <NumberCell label={t("owed")}>
        {upstreamMoney(owed)} {currency}
      </NumberCell>
      <Cell isNumber label={t("difference")}>
        {agreed === lines && Number(difference) === 0 ? (
          <Pill tone="ok">{t("agrees")}</Pill>
        ) : (
          `${upstreamMoney(difference)} ${currency}`
        )}
      </Cell>
      <Cell label={t("made")} className="text-muted text-sm">
        <RelativeTime at={madeAt} />
      </Cell>
      <Cell className="cards:pt-2 rows:text-right">
        <Button onClick={() => changeAddress({ bill: id })}>{t("show")}</Button>
      </Cell>
    </Row>
  );
}
