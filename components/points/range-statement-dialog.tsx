import { Check } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { useArchivedMonths } from "@/components/requests/use-archived-months";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PointsText } from "@/components/ui/points-text";
import { QueryFailure } from "@/components/ui/query-failure";
import { SaveCsv } from "@/components/ui/save-csv";
import { Skeleton } from "@/components/ui/skeleton";
import { addDays, daysBetween, todayIn } from "@/lib/client/days";
import { readPoints } from "@/lib/client/points-display";
import { statementCsvAddress, useStatement } from "@/lib/client/statement";
import { RANGE_DAYS_MAX } from "@/lib/contract/usage-filter";
import { formatPoints } from "@/lib/money/points";

const startOfMonth = (day: string) => `${day.slice(0, 8)}01`;

function monthOf(today: string, which: "this" | "last") {
  const start = startOfMonth(today);
  if (which === "this") return { from: start, to: today };
  const end = addDays(start, -1);
  return { from: startOfMonth(end), to: end };
}

/**
 * The statement of a range of days: opening balance, credits, charges, closing balance, and a
 * download.
 */
export function RangeStatementDialog() {
  const t = useTranslations("points");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" look="quiet" className="-my-1.5 -mr-2" onClick={() => setIsOpen(true)}>
        {t("byDates")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t("rangeTitle")}
        description={t("rangeNote")}
      >
        {isOpen ? <RangeStatement /> : null}
      </Dialog>
    </>
  );
}

function RangeStatement() {
  const t = useTranslations("points");
  const today = todayIn("UTC", Date.now());
  const [days, setDays] = useState(() => monthOf(today, "this"));
  const count = days.from && days.to ? daysBetween(days.from, days.to).length : 0;
  const isFair = count > 0 && count <= RANGE_DAYS_MAX;
  const { data, error, refetch, isPlaceholderData } = useStatement(isFair ? days : null);
  const archived = useArchivedMonths(data?.archived);
  return (
    <>
      <div className="mb-3 flex gap-2">
        <Button size="small" onClick={() => setDays(monthOf(today, "this"))}>
          {t("thisMonth")}
        </Button>
        <Button size="small" onClick={() => setDays(monthOf(today, "last"))}>
          {t("lastMonth")}
        </Button>
      </div>
      <div className="mb-4 grid grid-cols-2 gap-3">
        {(["from", "to"] as const).map((end) => (
          <Field
            key={end}
            label={t(end)}
            error={end === "from" && !isFair ? t("rangeProblem") : undefined}
          >
            {(control) => (
              <Input
                {...control}
                type="date"
                className="num"
                value={days[end]}
                onChange={(event) => setDays({ ...days, [end]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Sums data={data} isOld={isPlaceholderData} /> : null}
      {archived === null ? null : (
        <p className="mt-3 border-t pt-2.5 text-muted text-sm">
          {t("archived", { months: archived })}
        </p>
      )}
      {data?.units && data.units.length > 0 ? <Units units={data.units} /> : null}
      {data ? (
        <p className="mt-1.5 text-muted text-xs">{t("lines", { count: data.lineCount })}</p>
      ) : null}
      {data || error ? null : <Skeleton className="h-36 w-full" />}
      <DialogActions>
        <SaveCsv href={isFair && data ? statementCsvAddress(days) : null} look="go" />
      </DialogActions>
    </>
  );
}

/** What the charges count. */
function Units({ units }: { units: NonNullable<Statement["units"]> }) {
  const t = useTranslations("rates.unit");
  const format = useFormatter();
  return (
    <dl className="mt-3 grid gap-1 border-t pt-2.5 text-sm">
      {units.map(({ model, unit, quality, quantity }) => (
        <div key={[model, unit, quality].join(" ")} className="flex justify-between gap-3">
          <dt className="min-w-0 text-muted">
            {[model, t(unit), quality].filter(Boolean).join(" · ")}
          </dt>
          <dd className="num">{format.number(quantity)}</dd>
        </div>
      ))}
    </dl>
  );
}

type Statement = NonNullable<ReturnType<typeof useStatement>["data"]>;

function Sums({ data, isOld }: { data: Statement; isOld: boolean }) {
  const t = useTranslations("points");
  const usage = useTranslations("usage");
  const { opening, credits, takenBack, charges, closing } = data;
  const isEven =
    readPoints(opening) + readPoints(credits) - readPoints(takenBack) - readPoints(charges) ===
    readPoints(closing);
  return (
    <dl aria-busy={isOld} className={`grid gap-1 text-sm ${isOld ? "opacity-50" : ""}`}>
      <Line name={t("opening")} value={opening} />
      <Line name={t("added")} value={credits} isSigned />
      {readPoints(takenBack) > 0n ? (
        <Line name={t("takenBack")} value={formatPoints(-readPoints(takenBack))} />
      ) : null}
      <Line name={usage("charged")} value={formatPoints(-readPoints(charges))} />
      <div className="mt-1.5 flex justify-between gap-3 border-t pt-1.5 font-medium">
        <dt className="flex items-center gap-1.5">
          {t("closing")}
          {isEven ? <Check aria-label={t("addsUp")} className="size-4 text-ok-ink" /> : null}
        </dt>
        <dd>
          <PointsText value={closing} form="exact" />
        </dd>
      </div>
    </dl>
  );
}

function Line({ name, value, isSigned }: { name: string; value: string; isSigned?: boolean }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{name}</dt>
      <dd>
        <PointsText value={value} form="exact" isSigned={isSigned} />
      </dd>
    </div>
  );
}
