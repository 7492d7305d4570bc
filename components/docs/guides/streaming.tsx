import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { snippets } from "@/lib/docs/snippets";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

export function StreamingGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.streaming");
  return (
    <GuideFrame
      name="streaming"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        read: (
          <>
            <Prose>{t.rich("read.text", tags)}</Prose>
            <Sample title={t("read.sample")} code={snippets.stream(place)} />
          </>
        ),
        usage: <Prose>{t.rich("usage.text", tags)}</Prose>,
        stop: <Prose>{t.rich("stop.text", tags)}</Prose>,
        broken: <Prose>{t.rich("broken.text", tags)}</Prose>,
      })}
    />
  );
}
