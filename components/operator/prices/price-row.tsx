import { CalendarClock, Tag, Truck, X } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { FamilyTag } from "@/components/requests/family-tag";
import { rateKey } from "@/components/requests/rate-text";
import { Button } from "@/components/ui/button";
import { ExactTime } from "@/components/ui/exact-time";
import { ActionsMenu, MenuItem } from "@/components/ui/menu";
import { PointsText } from "@/components/ui/points-text";
import { Cell, Row } from "@/components/ui/table";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { decimalMoneyText } from "@/lib/client/money-text";
import { useWithdrawPrice } from "@/lib/client/operator-prices";
import { priceText } from "@/lib/client/points-display";
import type { OperatorPrice, PriceVersionView } from "@/lib/contract/operator-prices";
import type { RateView } from "@/lib/contract/rates";
import { isMainRate } from "@/lib/contract/units";
import { OtherRates } from "./other-rates";
import { PriceDialog } from "./price-dialog";
import { UpstreamPriceDialog } from "./upstream-price-dialog";

export function PriceRow({ price }: { price: OperatorPrice }) {
  const t = useTranslations("operator.prices");
  const format = useFormatter();
  const locale = useLocale();
  const { present, upcoming, upstream, margins, days30 } = price;
  return (
    <Row className="relative">
      <Cell className="cards:pr-12 cards:pb-2">
        <FamilyTag family={price.family}>{price.model}</FamilyTag>
        {upcoming.map((version) => (
          <Upcoming key={version.id} version={version} />
        ))}
      </Cell>
      <Cell isNumber label={t("price")}>
        {present ? (
          <>
            <Pair
              input={present.input && priceText(present.input)}
              output={priceText(present.output)}
            />
            <More rates={present.rates} />
          </>
        ) : (
          t("notSold")
        )}
      </Cell>
      <Cell isNumber label={t("cost")}>
        {upstream ? (
          <>
            <Pair
              input={upstream.input && decimalMoneyText(upstream.input, upstream.currency, locale)}
              output={decimalMoneyText(upstream.output, upstream.currency, locale)}
            />
            <More rates={upstream.rates} />
          </>
        ) : (
          <Nothing />
        )}
      </Cell>
      <Cell isNumber label={t("margin")}>
        {margins.output ? <Margins margins={margins} /> : <Nothing />}
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

function Margins({ margins: { input, output, rates } }: Pick<OperatorPrice, "margins">) {
  return (
    <>
      <Pair
        input={input && <Percent value={input.percent} />}
        output={<Percent value={output?.percent ?? null} />}
      />
      {rates
        .filter((rate) => !isMainRate(rate))
        .map((rate) => (
          <span key={rateKey(rate)} className="block">
            <Percent value={rate.margin?.percent ?? null} />
          </span>
        ))}
    </>
  );
}

/** The other rates, below those of the tokens. */
function More({ rates }: { rates: readonly RateView[] }) {
  if (rates.every(isMainRate)) return null;
  return (
    <span className="block">
      <OtherRates rates={rates} />
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

/** The input value above the output value; only the output value where input is not charged. */
function Pair({ input, output }: { input: React.ReactNode; output: React.ReactNode }) {
  const t = useTranslations("operator.prices");
  if (input === null) return <span className="whitespace-nowrap">{output}</span>;
  return (
    <span className="text-right">
      <span className="block whitespace-nowrap">{t.rich("in", { value: () => input })}</span>
      <span className="block whitespace-nowrap">{t.rich("out", { value: () => output })}</span>
    </span>
  );
}

function Upcoming({ version }: { version: PriceVersionView }) {
  const t = useTranslations("operator.prices");
  const showFailure = useFailureToast("operator");
  const withdraw = useWithdrawPrice();
  const text =
    version.input === null
      ? priceText(version.output)
      : `${priceText(version.input)} / ${priceText(version.output)}`;
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
