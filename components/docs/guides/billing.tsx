import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { PointsText } from "@/components/ui/points-text";
import { tags } from "@/components/ui/rich-text";
import { firstModelOf } from "@/lib/catalog/models";
import { videoSize } from "@/lib/catalog/video-sizes";
import { costOf } from "@/lib/client/model-prices";
import { priceText } from "@/lib/client/points-display";
import type { ModelPriceView } from "@/lib/contract/prices";
import { publicEndpoints } from "@/lib/contract/public";
import { hasTokenRate } from "@/lib/contract/units";
import type { Place } from "@/lib/docs/code";
import { snippets } from "@/lib/docs/snippets";
import { typicalUsage } from "@/lib/pricing/typical";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";
import { SettlementExamples } from "./settlement-examples";

interface BillingGuideProps {
  place: Place;
  prices: readonly ModelPriceView[];
}

export function BillingGuide({ place, prices }: BillingGuideProps) {
  const t = useTranslations("docs.guides.billing");
  const priceOf = (id: string | undefined) => prices.find(({ model }) => model === id);
  const video = filmModel();
  const chat = priceOf(firstModelOf("text").id);
  const film = priceOf(video.id);
  const pricesCall = `curl ${place.origin}${publicEndpoints.showPrices.path}`;
  return (
    <GuideFrame
      name="billing"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        line: (
          <>
            <Prose>{t("line.text")}</Prose>
            <SettlementExamples chat={chat} video={video} videoPrice={film} />
          </>
        ),
        sum: (
          <>
            <Prose>{t("sum.text")}</Prose>
            {film && film.rates.length === 1 && hasTokenRate(film.rates) ? (
              <Example price={film} />
            ) : null}
          </>
        ),
        families: (
          <>
            <Prose>{t("families.text")}</Prose>
            <Prose>{t("families.video")}</Prose>
            <Prose>{t("families.image")}</Prose>
          </>
        ),
        quote: <TextWithSample name="quote" code={snippets.quote(place)} />,
        held: <Prose>{t.rich("held.text", tags)}</Prose>,
        usage: <TextWithSample name="usage" code={snippets.usageFile(place)} />,
        prices: <TextWithSample name="prices" code={[{ language: "curl", code: pricesCall }]} />,
      })}
    />
  );
}

interface TextWithSampleProps extends Pick<ComponentProps<typeof Sample>, "code"> {
  name: "quote" | "usage" | "prices";
}

function TextWithSample({ name, code }: TextWithSampleProps) {
  const t = useTranslations("docs.guides.billing");
  return (
    <>
      <Prose>{t.rich(`${name}.text`, tags)}</Prose>
      <Sample title={t(`${name}.sample`)} code={code} />
    </>
  );
}

const filmModel = () => firstModelOf("video", ({ audio }) => audio);

const filmCost = (price: ModelPriceView | undefined): string =>
  (price && costOf(price, typicalUsage(filmModel()))?.list) ?? "0.000000";

/** One charge with all its factors. */
function Example({ price }: { price: ModelPriceView }) {
  const video = filmModel();
  const t = useTranslations("docs.guides.billing");
  const usage = typicalUsage(video);
  const [width, height] = videoSize(
    video.sizeGeneration,
    video.resolutionDefault,
    video.ratioDefault,
  );
  return (
    <p className="num max-w-[78ch] rounded-lg border bg-card px-5 py-4 text-sm leading-relaxed">
      {t.rich("sum.example", {
        model: video.id,
        seconds: video.durationSecondsDefault,
        resolution: video.resolutionDefault,
        ratio: video.ratioDefault,
        width: String(width),
        height: String(height),
        tokens: usage.outputTokens,
        price: priceText(price.output ?? "0"),
        amount: () => <PointsText value={filmCost(price)} form="exact" />,
      })}
    </p>
  );
}
