import { useTranslations } from "next-intl";
import { ExampleTile } from "@/components/catalog/example-tile";
import type { Example } from "@/lib/contract/shown-example";

/** What the model makes; nothing without examples. */
export function ModelExamples({ examples }: { examples: readonly Example[] }) {
  const t = useTranslations("modelPage");
  if (examples.length === 0) return null;
  return (
    <section aria-labelledby="examples" className="mt-10">
      <h2 id="examples" className="mb-3 text-xl">
        {t("examples")}
      </h2>
      <div className="grid auto-rows-[10rem] grid-cols-2 gap-2.5">
        {examples.map((example, at) => (
          <ExampleTile
            key={example.url}
            example={example}
            href={example.url}
            label={t(`shown.${example.kind}`, { number: at + 1 })}
            hasName={false}
            className={at === 0 ? "col-span-2 row-span-2" : ""}
          />
        ))}
      </div>
    </section>
  );
}
