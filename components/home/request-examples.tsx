import { useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { type Settlement, SettlementLine } from "@/components/requests/settlement-line";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { firstModelOf, type Model } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import type { ModelPriceView } from "@/lib/contract/prices";
import { chatExample, videoExample } from "@/lib/pricing/example-requests";
import type { TokenUsage } from "@/lib/pricing/price";
import { typicalUsage } from "@/lib/pricing/typical";

interface Example extends Settlement {
  model: Model;
  what: string;
}

function useExamples(prices: readonly ModelPriceView[]): Example[] {
  const t = useTranslations("home.examples");
  const costFor = (model: Model, usage: TokenUsage) => {
    const price = prices.find((each) => each.model === model.id);
    return (price && costOf(price, usage)?.list) ?? null;
  };
  const [chat, image] = [firstModelOf("text"), firstModelOf("image")];
  const video = firstModelOf("video", ({ audio }) => audio);
  const { quoted, held } = videoExample(video);
  const { bound, used } = chatExample;
  const chatHeld = costFor(chat, bound);
  const chatCharged = costFor(chat, used);
  const videoQuoted = costFor(video, quoted);
  const videoHeld = costFor(video, held);
  const imageQuoted = costFor(image, typicalUsage(image));
  if (!chatHeld || !chatCharged || !videoQuoted || !videoHeld || !imageQuoted) return [];
  return [
    {
      model: chat,
      family: "text",
      what: t("answered", { tokens: used.inputTokens + used.outputTokens }),
      state: "settled",
      quoted: chatHeld,
      held: chatHeld,
      settled: chatCharged,
    },
    {
      model: video,
      family: "video",
      what: t("running", {
        seconds: video.durationSecondsDefault,
        resolution: video.resolutionDefault,
      }),
      state: "held",
      quoted: videoQuoted,
      held: videoHeld,
      settled: null,
    },
    {
      model: image,
      family: "image",
      what: t("failed"),
      state: "released",
      quoted: imageQuoted,
      held: imageQuoted,
      settled: null,
    },
  ];
}

/** A request of each family as on the usage page, at the current prices. */
export function RequestExamples({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("home.examples");
  const examples = useExamples(prices);
  if (examples.length === 0) return null;
  return (
    <Card aria-labelledby="examples">
      <div className="flex items-baseline justify-between gap-x-4 px-5 pt-4.5 pb-1 max-sm:flex-col sm:flex-wrap">
        <h2 id="examples" className="text-lg">
          {t("title")}
        </h2>
        <p className="text-muted text-sm">{t("note")}</p>
      </div>
      <ul>
        {examples.map(({ model, what, ...settlement }) => (
          <li key={model.id} className="grid gap-3 border-b px-5 py-4 last:border-b-0">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <p>
                <FamilyTag family={model.family}>{model.id}</FamilyTag>{" "}
                <span className="ml-1 text-muted text-sm">{what}</span>
              </p>
              {settlement.state === "held" ? (
                <PointsText
                  value={settlement.held}
                  form="exact"
                  className="text-held-ink [&>span]:text-inherit"
                />
              ) : (
                <PointsText
                  value={settlement.settled ? `-${settlement.settled}` : "0.000000"}
                  form="exact"
                />
              )}
            </div>
            <SettlementLine {...settlement} className="max-w-none" />
          </li>
        ))}
      </ul>
    </Card>
  );
}
