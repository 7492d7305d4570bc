import { useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { SettlementLine } from "@/components/requests/settlement-line";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { firstModelOf, type Model } from "@/lib/catalog/models";
import { videoTokensMax } from "@/lib/catalog/video-sizes";
import { costOf } from "@/lib/client/model-prices";
import type { ModelPriceView } from "@/lib/contract/prices";
import type { HoldState } from "@/lib/contract/states";
import { typicalUsage } from "@/lib/pricing/typical";

const ANSWER_TOKENS = 412;

interface Example {
  model: Model;
  what: string;
  state: HoldState;
  quoted: string;
  held: string;
  settled: string | null;
}

function useExamples(prices: readonly ModelPriceView[]): Example[] {
  const t = useTranslations("home.examples");
  const of = <Some extends Model>(model: Some) => {
    const price = prices.find((each) => each.model === model.id);
    const cost = (inputTokens: number, outputTokens: number) =>
      (price && costOf(price, { inputTokens, outputTokens })?.list) ?? null;
    return { model, cost, usage: typicalUsage(model) };
  };
  const [chat, image] = [of(firstModelOf("text")), of(firstModelOf("image"))];
  const video = of(firstModelOf("video", ({ hasAudio }) => hasAudio));
  const { durationSecondsDefault: seconds, resolutionDefault: resolution } = video.model;
  const bound = chat.cost(chat.usage.inputTokens, chat.usage.outputTokens);
  const charged = chat.cost(chat.usage.inputTokens, ANSWER_TOKENS);
  const videoAmount = video.cost(0, video.usage.outputTokens);
  const videoHeld = video.cost(0, videoTokensMax(resolution, seconds));
  const imageAmount = image.cost(0, image.usage.outputTokens);
  if (!bound || !charged || !videoAmount || !videoHeld || !imageAmount) return [];
  const answered = t("answered", { tokens: chat.usage.inputTokens + ANSWER_TOKENS });
  return [
    {
      model: chat.model,
      what: answered,
      state: "settled",
      quoted: bound,
      held: bound,
      settled: charged,
    },
    {
      model: video.model,
      what: t("running", { seconds, resolution }),
      state: "held",
      quoted: videoAmount,
      held: videoHeld,
      settled: null,
    },
    {
      model: image.model,
      what: t("failed"),
      state: "released",
      quoted: imageAmount,
      held: imageAmount,
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
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-4.5 pb-1">
        <h2 id="examples" className="text-lg">
          {t("title")}
        </h2>
        <p className="text-muted text-sm">{t("note")}</p>
      </div>
      <ul>
        {examples.map(({ model, what, state, quoted, held, settled }) => (
          <li key={model.id} className="grid gap-3 border-b px-5 py-4 last:border-b-0">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <p>
                <FamilyTag family={model.family}>{model.id}</FamilyTag>{" "}
                <span className="ml-1 text-muted text-sm">{what}</span>
              </p>
              {state === "held" ? (
                <PointsText
                  value={held}
                  form="exact"
                  className="text-held-ink [&>span]:text-inherit"
                />
              ) : (
                <PointsText value={settled ? `-${settled}` : "0.000000"} form="exact" />
              )}
            </div>
            <SettlementLine
              state={state}
              quoted={quoted}
              held={held}
              settled={settled}
              className="max-w-none"
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
