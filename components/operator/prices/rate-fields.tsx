"use client";

import { X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { Button } from "@/components/ui/button";
import { Input, Options, Select } from "@/components/ui/input";
import type { Family } from "@/lib/contract/states";
import {
  isPerOne,
  isTruthSelector,
  SELECTOR_LENGTH_MAX,
  type Selector,
  selectorsOfUnit,
  type Unit,
  unitsOfFamily,
} from "@/lib/contract/units";
import { parsePoints } from "@/lib/money/points";
import { type Money, marginOf } from "@/lib/pricing/margin";
import { type RateRow, withUnit } from "./rate-rows";

interface RateFieldsProps {
  row: RateRow;
  number: number;
  family: Family;
  isWrong: boolean;
  errorId: string;
  currency?: string | undefined;
  pointPrice?: Money | null;
  isCost?: boolean;
  onChange: (row: RateRow) => void;
  onRemove: () => void;
}

/** One rate: its unit, its amounts, and what it is for. */
export function RateFields(props: RateFieldsProps) {
  const { row, number, family, isWrong, errorId, currency, isCost, onChange, onRemove } = props;
  const t = useTranslations("operator.prices.table");
  const unitName = useTranslations("rates.unit");
  const known: readonly Unit[] = unitsOfFamily[family];
  const offered = known.includes(row.unit) ? known : [...known, row.unit];
  const invalid = isWrong ? { "aria-invalid": true, "aria-describedby": errorId } : {};
  return (
    <li className="relative grid gap-2 rounded-md border bg-wash/40 p-2.5 pr-10">
      <div className="flex flex-wrap items-end gap-2">
        <Small label={t("unit", { number })} isWide>
          {(id) => (
            <Select
              id={id}
              value={row.unit}
              onChange={({ target }) => {
                const unit = offered.find((each) => each === target.value);
                if (unit) onChange(withUnit(row, unit));
              }}
            >
              <Options
                of={offered}
                name={(unit) => t(isPerOne(unit) ? "each" : "perMillion", { unit: unitName(unit) })}
              />
            </Select>
          )}
        </Small>
        <Small label={t(isCost ? "money" : "points", { number })}>
          {(id) => (
            <Input
              id={id}
              inputMode="decimal"
              autoComplete="off"
              className="num"
              value={row.points}
              {...invalid}
              onChange={({ target }) => onChange({ ...row, points: target.value })}
            />
          )}
        </Small>
        {currency ? (
          <Small label={t("cost", { number, currency })}>
            {(id) => (
              <Input
                id={id}
                inputMode="decimal"
                autoComplete="off"
                className="num"
                value={row.cost}
                onChange={({ target }) => onChange({ ...row, cost: target.value })}
              />
            )}
          </Small>
        ) : null}
        {currency ? <MarginText {...props} /> : null}
        <Conditions row={row} number={number} onChange={onChange} />
      </div>
      <Button
        look="quiet"
        size="icon"
        className="absolute top-1 right-1 size-8"
        aria-label={t("remove", { number })}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}

function Small({
  label,
  isWide = false,
  children,
}: {
  label: string;
  isWide?: boolean;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <span className={isWide ? "min-w-40 flex-1 basis-52" : "w-28"}>
      <label htmlFor={id} className="block truncate text-muted text-xs">
        {label}
      </label>
      {children(id)}
    </span>
  );
}

/** What the rate is for; an empty condition is for all. */
function Conditions({
  row,
  number,
  onChange,
}: Pick<RateFieldsProps, "row" | "number" | "onChange">) {
  const t = useTranslations("operator.prices.table");
  const names = selectorsOfUnit(row.unit);
  if (names.length === 0) return null;
  const change = (name: Selector, value: string) =>
    onChange({ ...row, ordered: { ...row.ordered, [name]: value.replace(/\s/g, "") } });
  return (
    <div className={names.length === 1 ? "contents" : "flex w-full flex-wrap gap-2"}>
      {names.map((name) => (
        <Small key={name} label={t(`conditions.${name}`, { number })}>
          {(id) =>
            isTruthSelector(name) ? (
              <Select
                id={id}
                value={row.ordered[name] ?? ""}
                onChange={({ target }) => change(name, target.value)}
              >
                <option value="">{t("any")}</option>
                <option value="yes">{t("yes")}</option>
                <option value="no">{t("no")}</option>
              </Select>
            ) : (
              <Input
                id={id}
                autoComplete="off"
                spellCheck={false}
                maxLength={SELECTOR_LENGTH_MAX}
                placeholder={t("any")}
                value={row.ordered[name] ?? ""}
                onChange={({ target }) => change(name, target.value)}
              />
            )
          }
        </Small>
      ))}
    </div>
  );
}

/** The margin at the two amounts; a dash until it is known. */
function MarginText({ row, currency = "", pointPrice = null }: RateFieldsProps) {
  const t = useTranslations("operator.prices.table");
  const format = useFormatter();
  const [points, cost] = [row.points, row.cost].map((text) => parsePoints(text.trim()));
  const margin =
    points == null || cost == null
      ? null
      : marginOf(points, { currency, amount: cost }, pointPrice);
  const share = margin?.perMille ?? null;
  return (
    <span className="num w-20 pb-2.5 text-right text-sm">
      <span className="sr-only">{t("margin")} </span>
      {share === null
        ? "–"
        : format.number(share / 1000, { style: "percent", maximumFractionDigits: 1 })}
    </span>
  );
}
