import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SettlementLine } from "@/components/requests/settlement-line";
import { costOf } from "@/lib/client/model-prices";
import type { ModelPriceView } from "@/lib/contract/prices";

const heldUsage = { inputTokens: 1000, outputTokens: 1000 };
const settledUsage = { inputTokens: 1000, outputTokens: 412 };

interface SettlementExamplesProps {
  chat: ModelPriceView;
  /** The points that were held for the request that failed. */
  failed: string;
}

/** What is shown of a request that was answered, and of one that failed. */
export function SettlementExamples({ chat, failed }: SettlementExamplesProps) {
  const t = useTranslations("docs.guides.billing");
  const held = costOf(chat, heldUsage)?.list;
  const settled = costOf(chat, settledUsage)?.list;
  if (!held || !settled) return null;
  return (
    <div className="grid gap-5 rounded-lg border bg-card px-5 py-4.5 sm:grid-cols-2">
      <Line
        title={t("line.settled", {
          tokens: settledUsage.inputTokens + settledUsage.outputTokens,
        })}
      >
        <SettlementLine state="settled" quoted={held} held={held} settled={settled} />
      </Line>
      <Line title={t("line.failed")}>
        <SettlementLine state="released" quoted={failed} held={failed} settled={null} />
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
