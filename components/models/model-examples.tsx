import { useTranslations } from "next-intl";
import { ExampleMedia } from "@/components/catalog/example-media";
import { FilmsSwitch } from "@/components/catalog/films-switch";
import { cn } from "@/components/ui/class-names";
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
          <a
            key={example.url}
            href={example.url}
            aria-label={t(`shown.${example.kind}`, { number: at + 1 })}
            className={cn(
              "relative block overflow-hidden rounded-md bg-wash",
              at === 0 && "col-span-2 row-span-2",
            )}
          >
            <ExampleMedia example={example} />
          </a>
        ))}
      </div>
      {examples.some(({ kind }) => kind === "video") ? <FilmsSwitch className="mt-1.5" /> : null}
    </section>
  );
}
