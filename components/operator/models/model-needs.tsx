import { Check, Circle } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import type { ModelDetail } from "@/lib/contract/operator-models";
import { Gaps } from "./gaps";

/** What a model has of what it needs to be offered. Nothing for one that is offered and lacks nothing. */
export function ModelNeeds({ detail: { model, needs } }: { detail: ModelDetail }) {
  const t = useTranslations("operator.models.needs");
  const all = [
    { isMet: needs.hasPrice && needs.gaps.length === 0, name: t("price"), how: t("priceHow") },
    { isMet: needs.isMapped, name: t("channel"), how: t("channelHow") },
    // What customers use needs no test any more.
    ...(model.state === "draft"
      ? [
          {
            isMet: needs.isTested,
            name: t("test"),
            how: t(model.family === "text" ? "testHow" : "testRealHow"),
          },
        ]
      : []),
  ];
  const isWhole = all.every(({ isMet }) => isMet);
  if (isWhole && model.state !== "draft") return null;
  return (
    <Card aria-labelledby="needs">
      <CardHead
        id="needs"
        title={t("title")}
        note={t(isWhole ? "whole" : model.state === "draft" ? "missing" : "lacking")}
      />
      <ol className="grid border-t">
        {all.map(({ isMet, name, how }) => (
          <li key={name} className="flex gap-3 border-b px-5 py-3 last:border-b-0">
            {isMet ? (
              <Check aria-hidden className="mt-1 size-4 shrink-0 text-ok-ink" />
            ) : (
              <Circle aria-hidden className="mt-1 size-4 shrink-0 text-faint" />
            )}
            <span>
              <span className="font-medium">{name}</span>
              <span className="sr-only"> {t(isMet ? "met" : "notMet")}</span>
              {isMet ? null : <span className="block text-muted text-sm">{how}</span>}
            </span>
          </li>
        ))}
      </ol>
      {needs.gaps.length > 0 ? (
        <div className="px-5 pb-4">
          <Gaps gaps={needs.gaps} />
        </div>
      ) : null}
    </Card>
  );
}
