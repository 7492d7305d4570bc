import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { snippets } from "@/lib/docs/snippets";
import { GuideFrame, Prose } from "../guide-frame";
import { Sample } from "../sample";

export function StreamingGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.streaming");
  return (
    <GuideFrame
      name="streaming"
      title={t("title")}
      lead={t("lead")}
      sections={[
        {
          id: "read",
          title: t("read.title"),
          body: (
            <>
              <Prose>{t.rich("read.text", tags)}</Prose>
              <Sample title={t("read.sample")} code={snippets.stream(place)} />
            </>
          ),
        },
        ...(["usage", "stop", "broken"] as const).map((id) => ({
          id,
          title: t(`${id}.title`),
          body: <Prose>{t.rich(`${id}.text`, tags)}</Prose>,
        })),
      ]}
    />
  );
}
