import { useTranslations } from "next-intl";
import { ExactTime } from "@/components/ui/exact-time";
import { Pill } from "@/components/ui/pill";
import type { ModelRowView } from "@/lib/contract/operator-models";

const tones = { draft: "plain", offered: "ok", retiring: "held", retired: "plain" } as const;

/** The state of a model, with its last day and what replaces it. */
export function ModelState(props: Pick<ModelRowView, "state" | "retiresAt" | "replacedBy">) {
  const { state, retiresAt, replacedBy } = props;
  const t = useTranslations("operator.models");
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <Pill tone={tones[state]}>{t(`states.${state}`)}</Pill>
      {state === "retiring" && retiresAt !== null ? (
        <span className="text-held-ink text-sm">
          {t.rich("until", { time: () => <ExactTime at={retiresAt} /> })}
        </span>
      ) : null}
      {replacedBy === null ? null : (
        <span className="text-muted text-sm">{t("replacedBy", { model: replacedBy })}</span>
      )}
    </span>
  );
}
