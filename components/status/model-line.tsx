import { useTranslations } from "next-intl";
import { UsualTime } from "@/components/catalog/model-speed";
import { FamilyTag } from "@/components/requests/family-tag";
import { Link } from "@/components/ui/link";
import { Pill } from "@/components/ui/pill";
import type { Model } from "@/lib/catalog/models";
import type { ModelFigures } from "@/lib/contract/model-figures";
import { DayBars } from "./day-bars";
import type { ModelNow } from "./model-state";
import { Share } from "./share";

const tones = { works: "ok", concerned: "held", fails: "bad", unserved: "bad" } as const;

interface ModelLineProps {
  model: Model;
  now: ModelNow;
  figures: ModelFigures | undefined;
  /** When the figures were read. */
  at: Date;
}

/** A model: how it is doing now, and its figures over 90 days. */
export function ModelLine({ model, now, figures, at }: ModelLineProps) {
  const t = useTranslations("status");
  return (
    <li className="px-5 py-4.5">
      <div className="mb-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3>
          <Link
            href={`/models/${model.alias}`}
            prefetch={false}
            className="rounded-sm hover:text-signal-ink"
          >
            <FamilyTag family={model.family}>{model.id}</FamilyTag>
          </Link>
        </h3>
        <Pill tone={tones[now]}>{t(`now.${now}`)}</Pill>
      </div>
      <DayBars model={model.id} slots={figures?.slots ?? []} at={at} />
      <dl className="mt-2.5 flex flex-wrap gap-x-8 gap-y-1.5 text-sm">
        <Fact name={t("availability")}>
          <Share of={figures?.availability ?? null} />
        </Fact>
        <Fact name={t("success")}>
          <Share of={figures?.success ?? null} />
        </Fact>
        <Fact name={t("usual")}>
          <UsualTime figures={figures} />
        </Fact>
      </dl>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className="text-muted">{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}
