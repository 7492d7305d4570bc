import { useFormatter, useLocale, useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { Cell, ColumnHead, ColumnWidths, Row, TableHead } from "@/components/ui/table";
import type { Model } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import { modelText } from "@/lib/client/model-text";
import { priceText } from "@/lib/client/points-display";
import type { ModelFigures } from "@/lib/contract/model-figures";
import type { ModelPriceView } from "@/lib/contract/prices";
import { isMainRate } from "@/lib/contract/units";
import { typicalUsage } from "@/lib/pricing/typical";
import { ModelLimits } from "./model-limits";
import type { ModelSorts } from "./model-order";
import { Unknown, UsualTime } from "./model-speed";
import { RateLines } from "./rate-lines";
import { SuccessBars } from "./success-bars";
import { TypicalText } from "./typical-text";

/** `hasFigures`: whether there are figures of any model. With `sorts` the columns sort the table. */
export function BoardHead({ hasFigures, sorts }: { hasFigures: boolean; sorts?: ModelSorts }) {
  const t = useTranslations("modelBoard");
  return (
    <>
      <ColumnWidths
        of={
          hasFigures
            ? ["w-[28%]", "w-[20%]", "w-[18%]", "w-[16%]", "w-[18%]"]
            : ["w-[64%]", "w-[17%]", "w-[19%]"]
        }
        className="@5xl/table:table-column-group"
      />
      <TableHead>
        <ColumnHead {...sorts?.("name")}>{t("model")}</ColumnHead>
        {hasFigures ? <ColumnHead {...sorts?.("success")}>{t("success")}</ColumnHead> : null}
        {hasFigures ? <ColumnHead {...sorts?.("speed")}>{t("usual")}</ColumnHead> : null}
        <ColumnHead isNumber>{t("price")}</ColumnHead>
        <ColumnHead isNumber {...sorts?.("price")}>
          {t("typical")}
        </ColumnHead>
      </TableHead>
    </>
  );
}

interface BoardRowProps {
  model: Model;
  price: ModelPriceView | undefined;
  figures: ModelFigures | undefined;
  hasFigures: boolean;
  /** Whether the row says what the model does and its limits. */
  hasText: boolean;
}

/** A price may have 64; the page of the model has all. */
const RATES_SHOWN = 3;

export const hasAny = (figures: ReadonlyMap<string, ModelFigures>): boolean =>
  [...figures.values()].some(({ success }) => success !== null);

/** A model with its success, its speed and its price. */
export function BoardRow({ model, price, figures, hasFigures, hasText }: BoardRowProps) {
  const t = useTranslations("modelBoard");
  const texts = useTranslations("models");
  const locale = useLocale();
  const cost = price && costOf(price, typicalUsage(model));
  return (
    <Row>
      <Cell className="pb-1.5 rows:pb-3">
        <Link
          href={`/models/${model.alias}`}
          prefetch={false}
          className="rounded-sm hover:text-signal-ink"
        >
          <FamilyTag family={model.family}>{model.id}</FamilyTag>
        </Link>
        {hasText ? (
          <span className="block max-w-96 text-muted text-sm">
            {modelText(model, locale, texts)}{" "}
            <span className="text-faint">
              <ModelLimits model={model} />
            </span>
          </span>
        ) : null}
      </Cell>
      {hasFigures ? (
        <Cell label={t("success")}>
          <Success figures={figures} />
        </Cell>
      ) : null}
      {hasFigures ? (
        <Cell label={t("usual")} className="num">
          <UsualTime figures={figures} />
        </Cell>
      ) : null}
      <Cell isNumber label={t("price")}>
        <UnitPrice price={price} />
      </Cell>
      <Cell isNumber label={t("typical")}>
        {cost ? (
          <span className="grow text-right">
            <PointsText value={price?.own ? cost.own : cost.list} />
            <span className="block whitespace-nowrap text-muted text-xs">
              <TypicalText model={model} />
            </span>
          </span>
        ) : null}
      </Cell>
    </Row>
  );
}

function Success({ figures }: { figures: ModelFigures | undefined }) {
  const format = useFormatter();
  if (!figures || figures.success === null) return <Unknown />;
  const text = format.number(figures.success, { style: "percent", maximumFractionDigits: 1 });
  return (
    <span className="inline-flex items-center gap-2.5">
      <SuccessBars slots={figures.slots} />
      <span className="num">{text}</span>
    </span>
  );
}

function UnitPrice({ price }: { price: ModelPriceView | undefined }) {
  const t = useTranslations("modelBoard");
  const list = price?.own ?? price;
  if (list && !list.rates.every(isMainRate))
    return <RateLines rates={list.rates} most={RATES_SHOWN} />;
  if (!list || list.output === null)
    return <span className="font-sans text-muted text-sm tracking-normal">{t("notSold")}</span>;
  const text =
    list.input === null
      ? priceText(list.output)
      : t("inAndOut", { input: priceText(list.input), output: priceText(list.output) });
  return <span className="whitespace-nowrap">{text}</span>;
}
