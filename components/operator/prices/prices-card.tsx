"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { useTypedParameter } from "@/components/lists/use-typed-parameter";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { ColumnHead, HiddenHead, NumberHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { decimalMoneyText } from "@/lib/client/money-text";
import { readPoints } from "@/lib/client/points-display";
import { SEARCH_LENGTH_MAX } from "@/lib/contract/limits";
import type { OperatorPrice, OperatorPrices } from "@/lib/contract/operator-prices";
import { PriceRow } from "./price-row";
import { UpstreamPriceDialog } from "./upstream-price-dialog";

/** There may be thousands of models: the others are found by their names. */
const ROWS_MAX = 100;
/** With fewer models there is nothing to search. */
const SEARCHED_MIN = 12;

const values = {
  model: ({ model }: OperatorPrice) => model,
  price: ({ present }: OperatorPrice) => present && readPoints(present.output),
  cost: ({ upstream }: OperatorPrice) => upstream && readPoints(upstream.output),
  days30: ({ days30 }: OperatorPrice) => readPoints(days30.charged),
};

/** The models' prices, and what a point is sold for. The URL keeps the search. */
export function PricesCard({ prices, pointPrice }: OperatorPrices) {
  const t = useTranslations("operator.prices");
  const models = useTranslations("operator.models");
  const ui = useTranslations("ui");
  const locale = useLocale();
  const [isPointOpen, setIsPointOpen] = useState(false);
  const [text, type] = useTypedParameter();
  const words = text.trim().toLowerCase();
  const found = prices.filter(({ model }) => model.toLowerCase().includes(words));
  const { rows, sort } = useSorted(found, values);
  const more = rows.length - ROWS_MAX;
  const amount = pointPrice && decimalMoneyText(pointPrice.amount, pointPrice.currency, locale);
  return (
    <>
      {prices.length < SEARCHED_MIN ? null : (
        <search className="mb-3.5 block">
          <Input
            type="search"
            aria-label={models("search")}
            placeholder={models("search")}
            value={text}
            maxLength={SEARCH_LENGTH_MAX}
            onChange={({ target }) => type(target.value)}
          />
        </search>
      )}
      <ListCard
        id="prices"
        isWide
        title={t("present")}
        note={amount === null ? t("noPointPrice") : t("pointPrice", { amount })}
        aside={<Button onClick={() => setIsPointOpen(true)}>{t("setPointPrice")}</Button>}
        empty={models("nothingFound")}
        columns={
          <>
            <ColumnHead {...sort("model")}>{t("model")}</ColumnHead>
            <NumberHead {...sort("price")}>{t("price")}</NumberHead>
            <NumberHead {...sort("cost")}>{t("cost")}</NumberHead>
            <ColumnHead isNumber>{t("margin")}</ColumnHead>
            <NumberHead {...sort("days30")}>{t("days30")}</NumberHead>
            <HiddenHead>{t("actions")}</HiddenHead>
          </>
        }
        rows={rows.slice(0, ROWS_MAX).map((price) => <PriceRow key={price.model} price={price} />)}
        foot={
          more > 0 ? (
            <p className="border-t px-5 py-3 text-muted text-sm">
              {ui("andMore", { count: more })}
            </p>
          ) : null
        }
      />
      <UpstreamPriceDialog
        subject="point"
        present={
          pointPrice
            ? { currency: pointPrice.currency, input: null, output: pointPrice.amount }
            : null
        }
        isOpen={isPointOpen}
        onClose={() => setIsPointOpen(false)}
      />
    </>
  );
}
