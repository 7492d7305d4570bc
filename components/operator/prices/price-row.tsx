import { CalendarClock, Tag, Truck, X } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { usePlannedText } from "@/components/catalog/planned-text";
import { RateLines } from "@/components/catalog/rate-lines";
import { FamilyTag } from "@/components/requests/family-tag";
import { useRateText } from "@/components/requests/rate-text";
import { Button } from "@/components/ui/button";
import { ExactTime } from "@/components/ui/exact-time";
import { ActionsMenu, MenuItem } from "@/components/ui/menu";
import { PointsText } from "@/components/ui/points-text";
import { Cell, Row } from "@/components/ui/table";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { decimalMoneyText } from "@/lib/client/money-text";
import { useWithdrawPrice } from "@/lib/client/operator-prices";
import { rateKey } from "@/lib/client/rate-changes";
import type { OperatorPrice, PriceVersionView } from "@/lib/contract/operator-prices";
import { PriceDialog } from "./price-dialog";
import { UpstreamPriceDialog } from "./upstream-price-dialog";

/** The rates that a row shows; a price may have 64. */
const RATES_SHOWN = 8;

export function PriceRow({ price }: { price: OperatorPrice }) {
  const t = useTranslations("operator.prices");
  const format = useFormatter();
  const locale = useLocale();
  const { present, upcoming, upstream, margins, days30 } = price;
  return (
    <Row className="relative">
      <Cell className="cards:pr-12 cards:pb-2">
        <FamilyTag family={price.family}>{price.model}</FamilyTag>
        {upcoming.map((version, at) => (
          <Upcoming
            key={version.id}
            version={version}
            before={(upcoming[at - 1] ?? present)?.rates ?? []}
          />
        ))}
      </Cell>
      <Cell isNumber label={t("price")}>
        {present ? <RateLines rates={present.rates} most={RATES_SHOWN} /> : t("notSold")}
      </Cell>
      <Cell isNumber label={t("cost")}>
        {upstream ? (
          <RateLines
            rates={upstream.rates}
            most={RATES_SHOWN}
            amountText={(amount) => decimalMoneyText(amount, upstream.currency, locale)}
          />
        ) : (
          <Nothing />
        )}
      </Cell>
      <Cell isNumber label={t("margin")}>
        {margins.rates.some(({ margin }) => margin) ? (
          <Margins rates={margins.rates} />
        ) : (
          <Nothing />
        )}
      </Cell>
      <Cell isNumber label={t("days30")}>
        {days30.requests === 0 ? (
          <Nothing />
        ) : (
          <span className="whitespace-nowrap text-right">
            <PointsText value={days30.charged} />
            <span className="block text-muted text-xs">
              {t("requests", { count: days30.requests })}
              {days30.margin?.percent == null
                ? null
                : ` · ${format.number(days30.margin.percent / 100, { style: "percent", maximumFractionDigits: 1 })}`}
            </span>
          </span>
        )}
      </Cell>
      <Cell className="cards:absolute cards:top-2 cards:right-3 rows:w-12 rows:text-right">
        <PriceMenu price={price} />
      </Cell>
    </Row>
  );
}

type RateMargins = OperatorPrice["margins"]["rates"];

/** Of two rates in the order of the price's lines; of more, that of the rate with the lowest. */
function Margins({ rates }: { rates: RateMargins }) {
  if (rates.length > 2) return <LowestMargin rates={rates} />;
  return (
    <span>
      {rates.map((rate) => (
        <span key={rateKey(rate)} className="block">
          <Percent value={rate.margin?.percent ?? null} />
        </span>
      ))}
    </span>
  );
}

function LowestMargin({ rates }: { rates: RateMargins }) {
  const t = useTranslations("operator.prices");
  const { price } = useRateText();
  const percentOf = ({ margin }: RateMargins[number]) =>
    margin?.percent ?? Number.POSITIVE_INFINITY;
  const lowest = rates.reduce((low, rate) => (percentOf(rate) < percentOf(low) ? rate : low));
  return (
    <span className="rows:block rows:max-w-44">
      {t.rich("lowest", { margin: () => <Percent value={lowest.margin?.percent ?? null} /> })}
      <span className="block text-muted text-xs">{price(lowest)}</span>
    </span>
  );
}

const Nothing = () => <span className="text-muted">–</span>;

function Percent({ value }: { value: number | null }) {
  const format = useFormatter();
  if (value === null) return <Nothing />;
  return (
    <span className={value < 0 ? "text-bad" : ""}>
      {format.number(value / 100, { style: "percent", maximumFractionDigits: 1 })}
    </span>
  );
}

function Upcoming({
  version,
  before,
}: {
  version: PriceVersionView;
  before: PriceVersionView["rates"];
}) {
  const t = useTranslations("operator.prices");
  const showFailure = useFailureToast("operator");
  const withdraw = useWithdrawPrice();
  const text = usePlannedText()(before, version.rates);
  return (
    <span className="mt-1 flex items-center gap-1.5 text-held-ink text-sm">
      <CalendarClock aria-hidden className="size-3.5 shrink-0" />
      <span>
        {t("toCome", { price: text })} <ExactTime at={version.effectiveAt} />
      </span>
      <Button
        look="quiet"
        size="small"
        className="size-7 p-0"
        aria-label={t("withdraw", { model: version.model, price: text })}
        isBusy={withdraw.isPending}
        onClick={() =>
          withdraw.mutate(version.id, {
            onSuccess: () => showToast(t("withdrawn", { model: version.model })),
            onError: showFailure,
          })
        }
      >
        {withdraw.isPending ? null : <X aria-hidden />}
      </Button>
    </span>
  );
}

function PriceMenu({ price }: { price: OperatorPrice }) {
  const t = useTranslations("operator.prices");
  const [open, setOpen] = useState<"price" | "cost" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <ActionsMenu label={t("actionsFor", { model: price.model })} className="rows:-my-1.5">
        <MenuItem onSelect={() => setOpen("price")}>
          <Tag aria-hidden />
          {t("change")}
        </MenuItem>
        <MenuItem onSelect={() => setOpen("cost")}>
          <Truck aria-hidden />
          {t("noteCost")}
        </MenuItem>
      </ActionsMenu>
      <PriceDialog price={price} isOpen={open === "price"} onClose={close} />
      <UpstreamPriceDialog
        subject={price.model}
        present={price.upstream}
        isOpen={open === "cost"}
        onClose={close}
      />
    </>
  );
}
