import { useLocale, useTranslations } from "next-intl";
import { ExampleMedia } from "@/components/catalog/example-media";
import { FilmsSwitch } from "@/components/catalog/films-switch";
import { TypicalText } from "@/components/catalog/typical-text";
import { useDurationText } from "@/components/ui/duration-text";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { linkClassName } from "@/components/ui/rich-text";
import { findModel, type Model } from "@/lib/catalog/models";
import { costOf } from "@/lib/client/model-prices";
import { type PointCost, pointsMoneyText } from "@/lib/client/point-cost";
import type { ModelFigures } from "@/lib/contract/model-figures";
import type { ModelPriceView } from "@/lib/contract/prices";
import type { Example } from "@/lib/contract/shown-example";
import { typicalUsage } from "@/lib/pricing/typical";

const SHOWN_MAX = 8;

/** At most two of a model, so that every model has its place. */
function chosenOf(examples: readonly Example[]): Example[] {
  const counts = new Map<string, number>();
  return examples
    .filter(({ model }) => {
      const count = (counts.get(model) ?? 0) + 1;
      counts.set(model, count);
      return count <= 2;
    })
    .slice(0, SHOWN_MAX);
}

interface Terms {
  readonly prices: readonly ModelPriceView[];
  readonly figures: ReadonlyMap<string, ModelFigures>;
  /** Null where no points are sold. */
  readonly cost: PointCost | null;
}

interface ShownExamplesProps extends Terms {
  examples: readonly Example[];
  /** Whether they are those that the sandbox drew. */
  isSandbox: boolean;
}

/** What the models make, and what that takes. */
export function ShownExamples({ examples, isSandbox, ...terms }: ShownExamplesProps) {
  const t = useTranslations("home.examplesWall");
  const chosen = chosenOf(examples);
  if (chosen.length === 0) return null;
  return (
    <section aria-labelledby="wall" className="mt-10">
      <h2 id="wall" className="sr-only">
        {t("title")}
      </h2>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-6 lg:grid-cols-4">
        {chosen.map((example) => (
          <Shown key={example.url} example={example} {...terms} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-1 text-muted text-sm">
        <p className="mr-auto">{t(isSandbox ? "sandbox" : "made")}</p>
        {chosen.some(({ kind }) => kind === "video") ? <FilmsSwitch /> : null}
        <Link href="/playground/video" prefetch={false} className={linkClassName}>
          {t("open")}
        </Link>
      </div>
    </section>
  );
}

/** The studio with the model and the prompt filled in; a visitor signs in first. */
const againHref = (model: Model, { kind, prompt }: Example) =>
  `/playground/${kind}?${new URLSearchParams({ model: model.alias, prompt })}`;

/** One of them. On a phone there are four. */
function Shown({ example, ...terms }: { example: Example } & Terms) {
  const t = useTranslations("home.examplesWall");
  const model = findModel(example.model);
  if (model === undefined) return null;
  return (
    <li className="min-w-0 max-sm:nth-[n+5]:hidden">
      <Link
        href={`/models/${model.alias}`}
        prefetch={false}
        aria-label={t(example.kind, { model: model.id })}
        className="relative block aspect-video overflow-hidden rounded-md bg-wash"
      >
        <ExampleMedia example={example} />
      </Link>
      <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="wrap-anywhere font-medium">{model.id}</span>
        {/* A document of its own: the way of a visitor leads over the sign-in page. */}
        <a
          href={againHref(model, example)}
          aria-label={t("againNamed", { model: model.id })}
          className={linkClassName}
        >
          {t("again")}
        </a>
      </p>
      <p className="text-muted text-sm">
        <Facts model={model} {...terms} />
      </p>
    </li>
  );
}

/** What a typical request of the model is, costs and takes. */
function Facts({ model, prices, figures, cost }: { model: Model } & Terms) {
  const t = useTranslations("home.examplesWall");
  const locale = useLocale();
  const timeText = useDurationText();
  const price = prices.find((each) => each.model === model.id);
  const points = price && costOf(price, typicalUsage(model))?.list;
  const usualMs = figures.get(model.id)?.usualMs ?? null;
  return (
    <>
      <TypicalText model={model} />
      {points === undefined ? null : (
        <>
          {"\u00a0· "}
          {t.rich("facts", { amount: () => <PointsText value={points} /> })}
          {cost === null ? null : (
            <>
              {"\u00a0· "}
              <span className="whitespace-nowrap">
                {t.rich("money", {
                  amount: () => (
                    <span className="num">{pointsMoneyText(points, cost, locale)}</span>
                  ),
                })}
              </span>
            </>
          )}
        </>
      )}
      {usualMs === null ? null : (
        <>
          {"\u00a0· "}
          <span className="whitespace-nowrap">{t("usually", { time: timeText(usualMs) })}</span>
        </>
      )}
    </>
  );
}
