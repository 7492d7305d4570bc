import { useLocale, useTranslations } from "next-intl";
import { NextPrice } from "@/components/catalog/next-price";
import { RateGroups } from "@/components/catalog/rate-groups";
import { FamilyTag } from "@/components/requests/family-tag";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { ForRole } from "@/components/ui/for-role";
import { Link } from "@/components/ui/link";
import { useListText } from "@/components/ui/use-list-text";
import type { Model } from "@/lib/catalog/models";
import { modelText } from "@/lib/client/model-text";
import { priceText } from "@/lib/client/points-display";
import type { ModelPriceView } from "@/lib/contract/prices";
import type { Family } from "@/lib/contract/states";
import { isMainRate } from "@/lib/contract/units";

const playgrounds: Record<Family, string> = {
  text: "/playground",
  video: "/playground/video",
  image: "/playground/image",
};
const guides: Record<Family, string> = {
  text: "/docs/streaming",
  video: "/docs/videos",
  image: "/docs/images",
};

const references: Record<Family, string> = {
  text: "/docs/api/chat",
  video: "/docs/api/videos",
  image: "/docs/api/images",
};

/** A model's name, description, price and links. */
export function ModelHead({ model, price }: { model: Model; price: ModelPriceView | undefined }) {
  const listed = useListText();
  const t = useTranslations("modelPage");
  return (
    <>
      <p className="mb-3 flex items-center gap-2.5 text-muted text-sm">
        <Link href="/models" className="rounded-sm hover:text-ink">
          {t("name")}
        </Link>
        <span aria-hidden className="text-faint">
          /
        </span>
        <FamilyTag family={model.family} />
      </p>
      <h1 className="text-4xl tracking-tighter">{model.id}</h1>
      <p className="mt-3 max-w-[62ch] text-lg text-muted">
        {modelText(model, useLocale(), (key) => t(`about.${key}`))}
      </p>
      <p className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="text-muted">{t("alias")}</span>
        <code className="font-medium">{model.alias}</code>
        <CopyButton text={model.alias} what={t("alias")} look="quiet" hasText={false} />
        {model.synonyms.length > 0 ? (
          <span className="text-muted">
            {t("alsoNamed")} <code>{listed(model.synonyms)}</code>
          </span>
        ) : null}
      </p>
      {price ? (
        <>
          <UnitPrices price={price} />
          <NextPrice price={price} isNamed={ownOf(price) !== null} className="mt-2 text-sm" />
        </>
      ) : null}
      <div className="mt-6 flex flex-wrap gap-2.5">
        <ForRole needs="order">
          <Button asChild look="signal" size="large">
            <Link href={`${playgrounds[model.family]}?model=${model.alias}`} prefetch={false}>
              {t("try")}
            </Link>
          </Button>
        </ForRole>
        <Button asChild size="large">
          <Link href={guides[model.family]} prefetch={false}>
            {t("guide")}
          </Link>
        </Button>
        <Button asChild size="large">
          <Link href={references[model.family]} prefetch={false}>
            {t("reference")}
          </Link>
        </Button>
      </div>
    </>
  );
}

/** The account's own price; null where it is the list price. */
const ownOf = ({ own }: ModelPriceView) => (own?.multiplier === "1" ? null : own);

function UnitPrices({ price }: { price: ModelPriceView }) {
  const t = useTranslations("modelPage");
  const isTokens = price.rates.every(isMainRate);
  const rows = [
    { name: t("priceIn"), list: price.input, own: price.own?.input },
    { name: t("priceOut"), list: price.output, own: price.own?.output },
  ];
  const ownPrice = ownOf(price);
  if (!isTokens) return <RatePrices price={price} />;
  return (
    <dl className="mt-5 flex flex-wrap gap-x-10 gap-y-3">
      {rows.map(({ name, list, own }) =>
        list === null ? null : (
          <div key={name}>
            <dt className="text-muted text-sm">{name}</dt>
            <dd className="text-muted text-sm">
              {t.rich("perMillion", {
                amount: () => (
                  <b className="num font-medium text-ink text-xl">{priceText(own ?? list)}</b>
                ),
              })}
              {own && ownPrice ? (
                <span className="block">{t("ownPrice", { multiplier: ownPrice.multiplier })}</span>
              ) : null}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** A price in more units than tokens in and out. */
function RatePrices({ price }: { price: ModelPriceView }) {
  const own = ownOf(price);
  const t = useTranslations("modelPage");
  return (
    <>
      <RateGroups rates={price.own?.rates ?? price.rates} />
      <p className="mt-1 text-muted text-sm">
        {t("ratesNote")}
        {own ? ` ${t("ownPrice", { multiplier: own.multiplier })}` : null}
      </p>
    </>
  );
}
