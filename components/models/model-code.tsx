import { useTranslations } from "next-intl";
import { CodeSamples } from "@/components/ui/code-samples";
import { tags } from "@/components/ui/rich-text";
import type { Model } from "@/lib/catalog/models";
import type { Place } from "@/lib/docs/code";
import { chat, image } from "@/lib/docs/snippets";
import { task } from "@/lib/docs/video-snippets";

const samples = { text: chat, video: task, image };

/** A sample request to the model in each language. */
export function ModelCode({ model, place }: { model: Model; place: Place }) {
  const t = useTranslations("modelPage");
  return (
    <section aria-labelledby="code" className="min-w-0">
      <h2 id="code" className="text-xl">
        {t("code")}
      </h2>
      <p className="mt-1 mb-3 text-muted text-sm">{t.rich("codeNote", tags)}</p>
      <CodeSamples label={t("code")} samples={samples[model.family](place, model.alias)} />
    </section>
  );
}
