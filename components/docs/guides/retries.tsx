import { useTranslations } from "next-intl";
import { FactList } from "@/components/ui/fact-list";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { librarySnippets } from "@/lib/docs/library-snippets";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

const outcomes = ["done", "running", "stream", "other", "failed"] as const;

export function RetriesGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.retries");
  return (
    <GuideFrame
      name="retries"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        key: (
          <>
            <Prose>{t.rich("key.text", tags)}</Prose>
            <Sample title={t("key.sample")} code={librarySnippets.retry(place)} />
          </>
        ),
        outcomes: (
          <FactList
            facts={outcomes.map((name) => ({
              name: t(`outcomes.${name}`),
              text: t.rich(`outcomes.${name}Text`, tags),
            }))}
          />
        ),
        libraries: <Prose>{t.rich("libraries.text", tags)}</Prose>,
        when: <Prose>{t.rich("when.text", tags)}</Prose>,
        tasks: <Prose>{t.rich("tasks.text", tags)}</Prose>,
      })}
    />
  );
}
