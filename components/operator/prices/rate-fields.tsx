import { X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
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
    <li className="relative rounded-md border bg-wash/40 p-2.5 pr-10">
      <div className={cn("grid items-end gap-2", currency ? columns.margin : columns.price)}>
        <Small label={t("unit", { number })} className="@max-[36.25rem]/rates:col-span-full">
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
        <Small label={t.rich(isCost ? "money" : "points", { number, hidden })}>
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
          <Small label={t.rich("cost", { number, currency, hidden })}>
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

/** Of one width in all rows, so that amounts and margins stand below each other. */
const columns = {
  price: "grid-cols-[minmax(0,1fr)_7rem]",
  margin:
    "grid-cols-[minmax(0,1fr)_minmax(0,1fr)_3.75rem] @[36.25rem]/rates:grid-cols-[minmax(0,1fr)_6.5rem_6.5rem_3.75rem]",
};

/** Which rate a field is of, which is seen by its place. */
const hidden = (text: ReactNode) => <span className="sr-only">{text}</span>;

interface SmallProps {
  label: ReactNode;
  className?: string;
  children: (id: string) => ReactNode;
}

function Small({ label, className, children }: SmallProps) {
  const id = useId();
  return (
    <span className={cn("min-w-0", className)}>
      <label htmlFor={id} className="block truncate text-muted text-xs">
        {label}
      </label>
      {children(id)}
    </span>
  );
}

/** What is typed where a condition has a form. */
const placeholders: { readonly [Name in Selector]?: string } = {
  input_from: "200000",
  hours: "16:30-00:30",
};

/** What the rate is for; an empty condition is for all. */
function Conditions(props: Pick<RateFieldsProps, "row" | "number" | "onChange">) {
  const { row, number, onChange } = props;
  const t = useTranslations("operator.prices.table");
  const names = selectorsOfUnit(row.unit);
  if (names.length === 0) return null;
  const change = (name: Selector, value: string) =>
    onChange({ ...row, ordered: { ...row.ordered, [name]: value.replace(/\s/g, "") } });
  return (
    <div className="col-span-full flex flex-wrap gap-2">
      {names.map((name) => (
        <Small
          key={name}
          label={t.rich(`conditions.${name}`, { number, hidden })}
          className={name === "hours" ? "w-34" : "w-26"}
        >
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
                placeholder={placeholders[name] ?? t("any")}
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
    <span className="min-w-0 text-right text-sm">
      <span className="block truncate text-muted text-xs">{t("margin")}</span>
      <span className="num block leading-10">
        {share === null
          ? "–"
          : format.number(share / 1000, { style: "percent", maximumFractionDigits: 1 })}
      </span>
    </span>
  );
}
