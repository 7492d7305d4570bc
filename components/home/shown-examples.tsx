import Link from "next/link";
import { useTranslations } from "next-intl";
import { ExampleTile } from "@/components/catalog/example-tile";
import { linkClassName } from "@/components/ui/rich-text";
import { findModel } from "@/lib/catalog/models";
import type { Example } from "@/lib/contract/shown-example";

/** Two rows of the wall on a wide page: the tiles' columns of six. */
const spans = [
  "sm:col-span-2",
  "",
  "",
  "sm:col-span-2",
  "",
  "sm:col-span-2",
  "",
  "sm:col-span-2",
] as const;

/** At most two of a model, so that every model has its place. */
function chosenOf(examples: readonly Example[]): Example[] {
  const counts = new Map<string, number>();
  return examples
    .filter(({ model }) => {
      const count = (counts.get(model) ?? 0) + 1;
      counts.set(model, count);
      return count <= 2;
    })
    .slice(0, spans.length);
}

/** What the models make. */
export function ShownExamples({
  examples,
  isSandbox,
}: {
  examples: readonly Example[];
  /** Whether they are those that the sandbox drew. */
  isSandbox: boolean;
}) {
  const t = useTranslations("home.examplesWall");
  const chosen = chosenOf(examples);
  if (chosen.length === 0) return null;
  return (
    <section aria-labelledby="wall" className="mt-10">
      <h2 id="wall" className="sr-only">
        {t("title")}
      </h2>
      <div className="grid auto-rows-[9.5rem] grid-cols-2 gap-2.5 sm:auto-rows-[12rem] sm:grid-cols-6">
        {chosen.map((example, at) => (
          <ExampleTile
            key={example.url}
            example={example}
            href={`/models/${findModel(example.model)?.alias ?? ""}`}
            label={t(example.kind, { model: example.model })}
            hasName
            className={spans[at] ?? ""}
          />
        ))}
      </div>
      <p className="mt-2.5 flex flex-wrap justify-between gap-x-6 text-muted text-sm">
        {t(isSandbox ? "sandbox" : "made")}
        <Link href="/playground/video" prefetch={false} className={linkClassName}>
          {t("open")}
        </Link>
      </p>
    </section>
  );
}
