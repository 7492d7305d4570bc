"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/input";
import { PointsText } from "@/components/ui/points-text";
import { Segmented } from "@/components/ui/segmented";
import { firstModelOf, type Model, offeredModels } from "@/lib/catalog/models";
import { costOf, listPrice, usageNow } from "@/lib/client/model-prices";
import { priceText } from "@/lib/client/points-display";
import type { ModelPriceView } from "@/lib/contract/prices";
import { type Family, families } from "@/lib/contract/states";
import { hasTokenRate, isPerOne } from "@/lib/contract/units";
import { formatPoints } from "@/lib/money/points";
import type { Price, TokenUsage } from "@/lib/pricing/price";
import { linesOf } from "@/lib/pricing/price-lines";
import { typicalUsage } from "@/lib/pricing/typical";
import { ImageFields, TextFields, VideoFields } from "./calculator-fields";
import { ConditionFields, type Conditions } from "./condition-fields";

/** A calculator for the cost of a request, with the function that computes charges. */
export function Calculator({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("calculator");
  const familyName = useTranslations("families");
  const sold = offeredModels().filter(({ id }) => prices.some((each) => each.model === id));
  const firstOf = (family: Family): Model =>
    sold.find((each) => each.family === family) ?? sold[0] ?? firstModelOf(family);
  const [model, setModel] = useState<Model>(() => firstOf("text"));
  const [typed, setUsage] = useState<TokenUsage | null>(typicalUsage(model));
  const [ordered, setOrdered] = useState<Conditions>({});
  const choose = (next: Model) => {
    setModel(next);
    setUsage(typicalUsage(next));
    setOrdered({});
  };
  const usage = typed && { ...typed, ordered: { ...typed.ordered, ...ordered } };
  const offered = sold.filter(({ family }) => family === model.family);
  const price = prices.find((each) => each.model === model.id);
  const hasTokens = hasTokenRate(price?.rates ?? []);
  return (
    <Card aria-labelledby="calculator" className="self-start px-5 py-4.5 lg:sticky lg:top-6">
      <h2 id="calculator" className="mb-3.5 text-lg">
        {t("title")}
      </h2>
      <div className="grid gap-4">
        <Segmented
          label={t("family")}
          value={model.family}
          onChange={(family) => choose(firstOf(family))}
          options={families
            .filter(
              (value) => value === model.family || sold.some(({ family }) => family === value),
            )
            .map((value) => ({ value, label: familyName(value) }))}
        />
        {offered.length > 1 ? (
          <Field label={t("model")}>
            {(control) => (
              <Select
                {...control}
                value={model.id}
                onChange={(event) =>
                  choose(offered.find(({ id }) => id === event.target.value) ?? model)
                }
              >
                {offered.map(({ id }) => (
                  <option key={id}>{id}</option>
                ))}
              </Select>
            )}
          </Field>
        ) : null}
        {model.family === "text" ? <TextFields key={model.id} onUsage={setUsage} /> : null}
        {model.family === "video" ? (
          <VideoFields key={model.id} model={model} hasTokens={hasTokens} onUsage={setUsage} />
        ) : null}
        {model.family === "image" ? (
          <ImageFields key={model.id} model={model} hasTokens={hasTokens} onUsage={setUsage} />
        ) : null}
        <ConditionFields rates={price?.rates ?? []} chosen={ordered} onChange={setOrdered} />
        <div className="min-h-24 border-t pt-3.5" aria-live="polite">
          {usage && price ? (
            <Result family={model.family} price={price} usage={usage} />
          ) : (
            <p className="text-muted text-sm">{t("outOfRange")}</p>
          )}
        </div>
      </div>
    </Card>
  );
}

/** `1,000 × 80 + 1,000 × 800` per million, and what is counted singly after it, as `8 × 5 per second`. */
function useSum() {
  const format = useFormatter();
  const t = useTranslations("rates.price");
  return (family: Family, usage: TokenUsage, price: Price, multiplier: string | undefined) => {
    const terms = linesOf(family, usage, price);
    const sumOf = (isSingle: boolean) =>
      terms
        .filter(({ unit }) => isPerOne(unit) === isSingle)
        .map(({ unit, quantity, amount }) => {
          const each = priceText(formatPoints(amount));
          return `${format.number(quantity)} × ${isSingle ? t(unit, { price: each }) : each}`;
        });
    const [tokens, single] = [sumOf(false), sumOf(true)];
    const isGrouped = tokens.length > 1 || (multiplier !== undefined && tokens.length > 0);
    const perMillion = isGrouped ? `(${tokens.join(" + ")}) ÷ 1M` : `${tokens.join("")} ÷ 1M`;
    const sum = [...(tokens.length > 0 ? [perMillion] : []), ...single].join(" + ");
    if (multiplier === undefined) return sum;
    return single.length > 0 ? `(${sum}) × ${multiplier}` : `${sum} × ${multiplier}`;
  };
}

interface ResultProps {
  family: Family;
  price: ModelPriceView;
  usage: TokenUsage;
}

function Result({ family, price, usage }: ResultProps) {
  const t = useTranslations("calculator");
  const sumOf = useSum();
  const cost = costOf(price, usage);
  const list = listPrice(price);
  if (!cost || !list) return <p className="text-muted text-sm">{t(list ? "noRate" : "notSold")}</p>;
  return (
    <>
      <p className="flex items-baseline gap-2">
        <PointsText value={cost.own} form="exact" className="font-medium text-2xl tracking-tight" />
        <span className="text-muted">{t("points")}</span>
      </p>
      <p className="num mt-1.5 text-muted text-xs">
        {sumOf(family, usageNow(usage, list), list, price.own?.multiplier)}
      </p>
      {price.own && cost.own !== cost.list ? (
        <p className="mt-1 text-muted text-sm">
          {t.rich("listBeside", { amount: () => <PointsText value={cost.list} /> })}
        </p>
      ) : null}
    </>
  );
}
