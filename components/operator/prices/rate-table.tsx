import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { Button } from "@/components/ui/button";
import { FieldError } from "@/components/ui/field";
import type { Family } from "@/lib/contract/states";
import { RATES_MAX } from "@/lib/contract/units";
import type { Money } from "@/lib/pricing/margin";
import { RateFields } from "./rate-fields";
import { nextRow, type RateRow, wrongRow } from "./rate-rows";

interface RateTableProps {
  label: string;
  hint: ReactNode;
  family: Family;
  rows: readonly RateRow[];
  onChange: (rows: RateRow[]) => void;
  error: string | undefined;
  /** The currency of what the upstream asks; without it that is not asked for. */
  currency?: string | undefined;
  pointPrice?: Money | null;
  /** Whether the amounts are what the upstream asks, in money. */
  isCost?: boolean;
}

/** Rates as a table: unit, conditions, price, what the upstream asks, margin. */
export function RateTable({ label, hint, rows, onChange, error, ...rest }: RateTableProps) {
  const t = useTranslations("operator.prices.table");
  const id = useId();
  const wrong = error === undefined ? null : (wrongRow(rows) ?? 0);
  const put = (at: number, row: RateRow) =>
    onChange(rows.map((each, place) => (place === at ? row : each)));
  return (
    // Outside of the fieldset: Chromium loses what is in a container inside one, where the page arrives in pieces.
    <div className="@container/rates">
      <fieldset aria-describedby={`${id}-hint`} className="grid min-w-0 gap-2.5">
        <legend className="mb-1.5 font-medium text-sm">{label}</legend>
        <ol className="grid gap-2.5">
          {rows.map((row, at) => (
            <RateFields
              // biome-ignore lint/suspicious/noArrayIndexKey: a rate is known by its place
              key={at}
              row={row}
              number={at + 1}
              isWrong={wrong === at}
              errorId={`${id}-error`}
              onChange={(next) => put(at, next)}
              onRemove={() => onChange(rows.filter((_, place) => place !== at))}
              {...rest}
            />
          ))}
        </ol>
        <FieldError id={`${id}-error`} text={error} />
        <div>
          <Button
            size="small"
            disabled={rows.length >= RATES_MAX}
            onClick={() => onChange([...rows, nextRow(rest.family, rows)])}
          >
            <Plus aria-hidden />
            {t("add")}
          </Button>
        </div>
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint} {rest.family === "text" ? t("lengthHint") : null}
        </p>
      </fieldset>
    </div>
  );
}
