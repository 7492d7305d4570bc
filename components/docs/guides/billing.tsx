import { useTranslations } from "next-intl";
import { SettlementLine } from "@/components/requests/settlement-line";
import { PointsText } from "@/components/ui/points-text";
import { tags } from "@/components/ui/rich-text";
import { firstModelOf, models } from "@/lib/catalog/models";
import { videoSize } from "@/lib/catalog/video-sizes";
import { costOf } from "@/lib/client/model-prices";
import { priceText } from "@/lib/client/points-display";
import type { ModelPriceView } from "@/lib/contract/prices";
import { publicEndpoints } from "@/lib/contract/public";
import type { Place } from "@/lib/docs/code";
import { snippets } from "@/lib/docs/snippets";
import { typicalUsage } from "@/lib/pricing/typical";
import { GuideFrame, Prose } from "../guide-frame";
import { Sample } from "../sample";

const video = firstModelOf("video", ({ hasAudio }) => hasAudio);
const heldUsage = { inputTokens: 1000, outputTokens: 1000 };
const settledUsage = { inputTokens: 1000, outputTokens: 412 };

export function BillingGuide({
  place,
  prices,
}: {
  place: Place;
  prices: readonly ModelPriceView[];
}) {
  const t = useTranslations("docs.guides.billing");
  const priceOf = (id: string | undefined) => prices.find(({ model }) => model === id);
  const chat = priceOf(models.find(({ family }) => family === "text")?.id);
  const [held, settled] = [
    chat && costOf(chat, heldUsage)?.list,
    chat && costOf(chat, settledUsage)?.list,
  ];
  const film = priceOf(video.id);
  return (
    <GuideFrame
      name="billing"
      title={t("title")}
      lead={t("lead")}
      sections={[
        {
          id: "line",
          title: t("line.title"),
          body: (
            <>
              <Prose>{t("line.text")}</Prose>
              {held && settled ? (
                <div className="grid gap-5 rounded-lg border bg-card px-5 py-4.5 sm:grid-cols-2">
                  <Line
                    title={t("line.settled", {
                      tokens: settledUsage.inputTokens + settledUsage.outputTokens,
                    })}
                  >
                    <SettlementLine state="settled" quoted={held} held={held} settled={settled} />
                  </Line>
                  <Line title={t("line.failed")}>
                    <SettlementLine
                      state="released"
                      quoted={filmCost(film)}
                      held={filmCost(film)}
                      settled={null}
                    />
                  </Line>
                </div>
              ) : null}
            </>
          ),
        },
        {
          id: "sum",
          title: t("sum.title"),
          body: (
            <>
              <Prose>{t("sum.text")}</Prose>
              {film ? <Example price={film} /> : null}
            </>
          ),
        },
        {
          id: "families",
          title: t("families.title"),
          body: (
            <>
              <Prose>{t("families.text")}</Prose>
              <Prose>{t("families.video")}</Prose>
              <Prose>{t("families.image")}</Prose>
            </>
          ),
        },
        {
          id: "quote",
          title: t("quote.title"),
          body: (
            <>
              <Prose>{t.rich("quote.text", tags)}</Prose>
              <Sample title={t("quote.sample")} code={snippets.quote(place)} />
            </>
          ),
        },
        { id: "held", title: t("held.title"), body: <Prose>{t.rich("held.text", tags)}</Prose> },
        {
          id: "usage",
          title: t("usage.title"),
          body: (
            <>
              <Prose>{t.rich("usage.text", tags)}</Prose>
              <Sample title={t("usage.sample")} code={snippets.usageFile(place)} />
            </>
          ),
        },
        {
          id: "prices",
          title: t("prices.title"),
          body: (
            <>
              <Prose>{t.rich("prices.text", tags)}</Prose>
              <Sample
                title={t("prices.sample")}
                code={[
                  {
                    language: "curl",
                    code: `curl ${place.origin}${publicEndpoints.showPrices.path}`,
                  },
                ]}
              />
            </>
          ),
        },
      ]}
    />
  );
}

const filmCost = (price: ModelPriceView | undefined): string =>
  (price && costOf(price, typicalUsage(video))?.list) ?? "0.000000";

function Line({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-2.5">
      <p className="font-medium text-sm">{title}</p>
      {children}
    </div>
  );
}

/** One charge with all its factors. */
function Example({ price }: { price: ModelPriceView }) {
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
