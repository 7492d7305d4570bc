import { useLocale, useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import type { ModelSorts } from "@/components/catalog/model-order";
import { NextPrice } from "@/components/catalog/next-price";
import { RateLines } from "@/components/catalog/rate-lines";
import { TypicalText } from "@/components/catalog/typical-text";
import { FamilyTag } from "@/components/requests/family-tag";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import {
  Cell,
  ColumnHead,
  ColumnWidths,
  GroupRow,
  Row,
  Table,
  TableBody,
  TableHead,
} from "@/components/ui/table";
import { findModel, type Model } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import { modelText } from "@/lib/client/model-text";
import type { ModelPriceView } from "@/lib/contract/prices";
import { type Family, families } from "@/lib/contract/states";
import { isPerOne } from "@/lib/contract/units";
import { typicalUsage } from "@/lib/pricing/typical";

/** A price may have 64; the page of the model has all. */
const RATES_SHOWN = 8;

interface PriceTableProps {
  prices: readonly ModelPriceView[];
  hasOwn: boolean;
  sorts: ModelSorts;
  /** Shown below the rows. */
  foot: ReactNode;
}

/** Models with their list prices and, signed in, the account's own prices. */
export function PriceTable({ prices, hasOwn, sorts, foot }: PriceTableProps) {
  const t = useTranslations("pricing");
  return (
    <Card aria-labelledby="prices">
      <h2 id="prices" className="sr-only">
        {t("table")}
      </h2>
      <Table labelledBy="prices" className="[&>table]:rows:table-fixed">
        <ColumnWidths
          of={
            hasOwn
              ? ["w-[30%]", "w-[25%]", "w-[20%]", "w-[25%]"]
              : ["w-[45%]", "w-[30%]", "w-[25%]"]
          }
          className="rows:table-column-group"
        />
        <TableHead>
          <ColumnHead {...sorts("name")}>{t("model")}</ColumnHead>
          <ColumnHead isNumber>{t("list")}</ColumnHead>
          {hasOwn ? <ColumnHead isNumber>{t("own")}</ColumnHead> : null}
          <ColumnHead isNumber {...sorts("price")}>
            {t("typical")}
          </ColumnHead>
        </TableHead>
        <TableBody>
          {families
            .filter((family) => prices.some((price) => price.family === family))
            .map((family) => (
              <Fragment key={family}>
                <GroupRow columns={hasOwn ? 4 : 3}>
                  <FamilyTag family={family} />
                  <span className="ml-3 font-normal text-muted text-sm">
                    {t(isByToken(prices, family) ? `units.${family}` : "units.mixed")}
                  </span>
                </GroupRow>
                {prices.map((price) => {
                  const model = price.family === family && findModel(price.model);
                  return model ? (
                    <PriceRow key={model.id} model={model} price={price} hasOwn={hasOwn} />
                  ) : null;
                })}
              </Fragment>
            ))}
        </TableBody>
      </Table>
      {foot}
    </Card>
  );
}

/** Whether all prices of a family are per million tokens, which their head says. */
const isByToken = (prices: readonly ModelPriceView[], family: Family) =>
  prices.every(
    (price) => price.family !== family || !price.rates.some(({ unit }) => isPerOne(unit)),
  );

interface PriceRowProps {
  model: Model;
  price: ModelPriceView;
  hasOwn: boolean;
}

function PriceRow({ model, price, hasOwn }: PriceRowProps) {
  const t = useTranslations("pricing");
  const texts = useTranslations("models");
  const locale = useLocale();
  const cost = costOf(price, typicalUsage(model));
  return (
    <Row>
      <Cell className="pb-1.5 rows:pb-3">
        <Link
          href={`/models/${model.alias}`}
          prefetch={false}
          className="rounded-sm font-medium hover:text-signal-ink"
        >
          {model.id}
        </Link>
        <code className="ml-2 inline-block max-w-full wrap-anywhere text-muted text-sm">
          {model.alias}
        </code>
        <span className="block max-w-96 text-muted text-sm">{modelText(model, locale, texts)}</span>
      </Cell>
      <Cell isNumber label={t("list")}>
        <span className="grow text-right">
          <ListPrice rates={price.rates} />
          <NextPrice price={price} className="ml-auto max-w-44" />
        </span>
      </Cell>
      {hasOwn ? (
        <Cell isNumber label={t("own")}>
          {price.own ? (
            <span className="grow text-right">
              <ListPrice rates={price.own.rates} />
              <span className="block text-muted text-xs">× {price.own.multiplier}</span>
            </span>
          ) : null}
        </Cell>
      ) : null}
      <Cell isNumber label={t("typical")}>
        {cost ? (
          <span className="grow text-right">
            <PointsText value={hasOwn ? cost.own : cost.list} />
            <span className="block whitespace-nowrap text-muted text-xs">
              <TypicalText model={model} />
            </span>
          </span>
        ) : null}
      </Cell>
    </Row>
  );
}

function ListPrice({ rates }: Pick<ModelPriceView, "rates">) {
  const t = useTranslations("pricing");
  if (rates.length > 0) return <RateLines rates={rates} most={RATES_SHOWN} />;
  return <span className="font-sans text-muted tracking-normal">{t("notSold")}</span>;
}
