"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { After } from "@/components/ui/after";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { Cell, ColumnHead, HiddenHead, NumberCell, NumberHead, Row } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { moneyText } from "@/lib/client/money-text";
import { packagesQuery } from "@/lib/client/operator-lists";
import { readPoints } from "@/lib/client/points-display";
import type { OperatorPackageView } from "@/lib/contract/operator-topup";
import { PackageDialog } from "./package-dialog";
import { PaymentsList } from "./payments-list";

/** The packages and the payments. */
export function PackagesView() {
  const t = useTranslations("operator.packages");
  const query = useQuery(packagesQuery);
  const { data } = query;
  const { rows, sort } = useSorted(data?.packages ?? [], {
    name: ({ name }) => name,
    state: ({ isEnabled }) => Number(isEnabled),
    points: ({ points }) => readPoints(points),
    price: ({ amount }) => amount,
    position: ({ position }) => position,
  });
  const [edited, setEdited] = useState<OperatorPackageView | "new" | null>(null);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button look="go" onClick={() => setEdited("new")}>
          {t("add")}
        </Button>
      </PageHead>
      <ListCard
        id="packages"
        title={t("list")}
        note={t("listNote")}
        query={query}
        empty={t("empty")}
        columns={
          <>
            <ColumnHead {...sort("name")}>{t("name")}</ColumnHead>
            <ColumnHead {...sort("state")}>{t("state")}</ColumnHead>
            <NumberHead {...sort("points")}>{t("points")}</NumberHead>
            <NumberHead {...sort("price")}>{t("price")}</NumberHead>
            <NumberHead {...sort("position")}>{t("position")}</NumberHead>
            <HiddenHead>{t("change")}</HiddenHead>
          </>
        }
        rows={rows.map((each) => (
          <PackageRow key={each.id} each={each} onEdit={() => setEdited(each)} />
        ))}
      />
      {data && !data.isOffered ? (
        <div className="mt-3.5">
          <Notice tone="note">{t("notOffered")}</Notice>
        </div>
      ) : null}
      <After of={[query]}>
        <PaymentsList />
      </After>
      {edited ? (
        <PackageDialog before={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </>
  );
}

function PackageRow({ each, onEdit }: { each: OperatorPackageView; onEdit: () => void }) {
  const t = useTranslations("operator.packages");
  const locale = useLocale();
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="font-medium wrap-anywhere">{each.name}</span>
        {each.note ? (
          <span className="block text-muted text-sm wrap-anywhere">{each.note}</span>
        ) : null}
      </Cell>
      <Cell label={t("state")}>
        <Pill tone={each.isEnabled ? "ok" : "plain"}>
          {t(each.isEnabled ? "enabled" : "disabled")}
        </Pill>
      </Cell>
      <NumberCell label={t("points")}>
        <PointsText value={each.points} />
      </NumberCell>
      <NumberCell label={t("price")}>{moneyText(each.amount, each.currency, locale)}</NumberCell>
      <NumberCell label={t("position")}>{each.position}</NumberCell>
      <Cell className="rows:text-right">
        <Button size="small" aria-label={t("changeLabel", { name: each.name })} onClick={onEdit}>
          {t("change")}
        </Button>
      </Cell>
    </Row>
  );
}
