import { titled } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { priceViews } from "@/app/_server/prices";
import { isFromSandbox } from "@/app/_server/serving";
import { siteFacts } from "@/app/_server/site";
import type { Extras } from "@/components/playground/tier-field";
import { VideoView } from "@/components/playground/video-view";
import { textOf, type UrlParameters } from "@/lib/client/model-search";
import type { ModelPriceView } from "@/lib/contract/prices";
import type { RateView } from "@/lib/contract/rates";

export const generateMetadata = titled((t) => t("studio.videoTitle"));

/** The models that can be sold later for less, and with tools. */
const extrasOf = (prices: readonly ModelPriceView[]): Extras => {
  const priced = (has: (rate: RateView) => boolean) =>
    prices.filter(({ rates }) => rates.some(has)).map(({ model }) => model);
  return {
    flex: priced(({ tier }) => tier === "flex"),
    tools: priced(({ unit }) => unit === "tool_call"),
  };
};

interface PlaygroundProps {
  searchParams: Promise<UrlParameters>;
}

export default async function VideoPlaygroundPage({ searchParams }: PlaygroundProps) {
  const { accountId } = await requirePageUser();
  const parameters = await searchParams;
  return (
    <VideoView
      baseUrl={siteFacts().baseUrl}
      model={textOf(parameters.model)}
      prompt={textOf(parameters.prompt)}
      isSandbox={isFromSandbox("video")}
      extras={extrasOf(await priceViews(accountId))}
    />
  );
}
