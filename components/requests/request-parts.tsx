import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { PointsText } from "@/components/ui/points-text";
import { priceText } from "@/lib/client/points-display";
import { rateKey } from "@/lib/client/rate-changes";
import type { EntryView } from "@/lib/contract/entries";
import type { RequestView } from "@/lib/contract/usage";
import { useRateText } from "./rate-text";

type RequestFacts = NonNullable<EntryView["request"]>;

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 font-medium text-sm">{title}</h3>
      {children}
    </section>
  );
}

interface CalculationProps {
  detail: RequestView;
  request: RequestFacts;
  settled: string;
}

/** Σ(quantity × rate) × multiplier = points, as charged. */
export function Calculation({ detail, request, settled }: CalculationProps) {
  const t = useTranslations("usage.detail");
  const format = useFormatter();
  const { counted } = useRateText();
  const { lines, multiplier } = detail;
  return (
    <Part title={t("calculation")}>
      <dl className="grid gap-0.5 rounded-md border px-3.5 py-2.5 text-sm">
        {lines.map((line) => (
          <Line key={rateKey(line)} name={counted(line)}>
            <span className="whitespace-nowrap">
              {format.number(line.quantity)} × {priceText(line.points)}
            </span>
          </Line>
        ))}
        <Line name={t("multiplier")}>× {multiplier}</Line>
        <div className="mt-1.5 flex justify-between gap-3 border-t pt-1.5 font-medium">
          <dt>{t("points")}</dt>
          <dd>
            <PointsText value={settled} form="exact" />
          </dd>
        </div>
      </dl>
      <p className="mt-1.5 text-muted text-xs">
        {settled === request.held && request.held !== request.quoted ? t("atHold") : t("rounding")}
      </p>
    </Part>
  );
}

export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{name}</dt>
      <dd className="num min-w-0 wrap-anywhere text-right">{children}</dd>
    </div>
  );
}

export function CopyableLine({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="ml-auto flex min-w-0 max-w-full items-center gap-1">
        <code className="min-w-0 break-all text-right text-xs">{value}</code>
        <CopyButton text={value} what={name} look="quiet" hasText={false} className="size-7 p-0" />
      </dd>
    </div>
  );
}
