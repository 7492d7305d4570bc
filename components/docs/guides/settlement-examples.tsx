import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SettlementLine } from "@/components/requests/settlement-line";
import type { VideoModel } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import type { ModelPriceView } from "@/lib/contract/prices";
import { chatExample, videoExample } from "@/lib/pricing/example-requests";

interface SettlementExamplesProps {
  /** Absent while the model has no price. */
  chat: ModelPriceView | undefined;
  /** The request that failed, and its price. */
  video: VideoModel;
  videoPrice: ModelPriceView | undefined;
}

/** What is shown of a request that was answered, and of one that failed. */
export function SettlementExamples({ chat, video, videoPrice }: SettlementExamplesProps) {
  const t = useTranslations("docs.guides.billing");
  const { bound, used } = chatExample;
  const failed = videoExample(video);
  const [held, settled] = [chat && costOf(chat, bound), chat && costOf(chat, used)];
  const [quoted, videoHeld] = [
    videoPrice && costOf(videoPrice, failed.quoted),
    videoPrice && costOf(videoPrice, failed.held),
  ];
  if (!held || !settled || !quoted || !videoHeld) return null;
  return (
    <div className="grid gap-5 rounded-lg border bg-card px-5 py-4.5 sm:grid-cols-2">
      <Line title={t("line.settled", { tokens: used.inputTokens + used.outputTokens })}>
        <SettlementLine
          family="text"
          state="settled"
          quoted={held.list}
          held={held.list}
          settled={settled.list}
        />
      </Line>
      <Line title={t("line.failed")}>
        <SettlementLine
          family="video"
          state="released"
          quoted={quoted.list}
          held={videoHeld.list}
          settled={null}
        />
      </Line>
    </div>
  );
}

function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-2.5">
      <p className="font-medium text-sm">{title}</p>
      {children}
    </div>
  );
}
