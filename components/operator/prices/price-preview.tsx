import { useFormatter, useTranslations } from "next-intl";
import { Fragment, useEffect, useState } from "react";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { usePricePreview } from "@/lib/client/operator-prices";
import { readPoints } from "@/lib/client/points-display";
import type { NewPriceBody, PricePreviewView } from "@/lib/contract/operator-prices";
import { formatPoints } from "@/lib/money/points";
import { useOperatorFailureText } from "../operator-failure";

const TYPING_MS = 350;

/** `value`, debounced. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** What the new price would have charged for recent usage. Null: there is no valid price yet. */
export function PricePreview({ price }: { price: NewPriceBody | null }) {
  const t = useTranslations("operator.prices");
  const failureText = useOperatorFailureText();
  const settled = useSettled(price);
  const { data, error, isPlaceholderData } = usePricePreview(settled);
  const isOld = isPlaceholderData || JSON.stringify(settled) !== JSON.stringify(price);
  return (
    <section
      aria-label={t("preview")}
      aria-busy={isOld}
      aria-live="polite"
      className="min-h-34 rounded-md border bg-wash/60 px-4 py-3 text-sm"
    >
      <h3 className="font-medium">{t("preview")}</h3>
      {error ? <p className="mt-1 text-bad">{failureText(error)}</p> : null}
      {data && !error ? (
        <div className={isOld ? "opacity-50" : ""}>
          <Figures preview={data} />
        </div>
      ) : null}
      {!data && !error ? <Skeleton className="mt-2 h-4 w-3/4" /> : null}
    </section>
  );
}

function Figures({ preview }: { preview: PricePreviewView }) {
  const t = useTranslations("operator.prices");
  const format = useFormatter();
  if (preview.requests === 0)
    return <p className="mt-1 text-muted">{t("noUsage", { days: preview.days })}</p>;
  const present = preview.atPresent ?? preview.charged;
  const change = readPoints(preview.atNew) - readPoints(present);
  const share =
    readPoints(present) === 0n ? null : Number((change * 10_000n) / readPoints(present)) / 10_000;
  return (
    <>
      <p className="text-muted">
        {t(preview.isPartial ? "previewPartial" : "previewOf", {
          days: preview.days,
          count: preview.requests,
        })}
      </p>
      <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        <dt>{t("charged")}</dt>
        <dd className="text-right">
          <PointsText value={preview.charged} />
        </dd>
        {preview.atPresent ? (
          <>
            <dt>{t("atPresent")}</dt>
            <dd className="text-right">
              <PointsText value={preview.atPresent} />
            </dd>
          </>
        ) : null}
        <dt className="font-medium">{t("atNew")}</dt>
        <dd className="text-right font-medium">
          <PointsText value={preview.atNew} />
        </dd>
        <dt className="text-muted">{t("difference")}</dt>
        <dd className="text-right">
          <PointsText value={formatPoints(change)} isSigned />
          {share === null ? null : (
            <span className="num ml-2 text-muted">
              {format.number(share, {
                style: "percent",
                maximumFractionDigits: 1,
                signDisplay: "exceptZero",
              })}
            </span>
          )}
        </dd>
      </dl>
      {preview.units.length > 1 ? <Units preview={preview} /> : null}
    </>
  );
}

/** What each unit costs at the two prices. */
function Units({ preview: { units } }: { preview: PricePreviewView }) {
  const t = useTranslations("operator.prices");
  const name = useTranslations("rates.unit");
  const format = useFormatter();
  return (
    <>
      <h4 className="mt-3 text-muted">{t("perUnit")}</h4>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        {units.map(({ unit, quantity, atPresent, atNew }) => (
          <Fragment key={unit}>
            <dt>
              {format.number(quantity)} <span className="text-muted">{name(unit)}</span>
            </dt>
            <dd className="text-right">
              {atPresent === null ? null : (
                <>
                  <PointsText value={atPresent} /> →{" "}
                </>
              )}
              <PointsText value={atNew} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}
