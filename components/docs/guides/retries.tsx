import { useTranslations } from "next-intl";
import { FactList } from "@/components/ui/fact-list";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { librarySnippets } from "@/lib/docs/library-snippets";
import { GuideFrame, Prose } from "../guide-frame";
import { Sample } from "../sample";

const outcomes = ["done", "running", "stream", "other", "failed"] as const;

export function RetriesGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.retries");
  return (
    <GuideFrame
      name="retries"
      title={t("title")}
      lead={t("lead")}
      sections={[
        {
          id: "key",
          title: t("key.title"),
          body: (
            <>
              <Prose>{t.rich("key.text", tags)}</Prose>
              <Sample title={t("key.sample")} code={librarySnippets.retry(place)} />
            </>
          ),
        },
        {
          id: "outcomes",
          title: t("outcomes.title"),
          body: (
            <FactList
              facts={outcomes.map((name) => ({
                name: t(`outcomes.${name}`),
                text: t.rich(`outcomes.${name}Text`, tags),
              }))}
            />
          ),
        },
        {
          id: "libraries",
          title: t("libraries.title"),
          body: <Prose>{t.rich("libraries.text", tags)}</Prose>,
        },
        { id: "when", title: t("when.title"), body: <Prose>{t.rich("when.text", tags)}</Prose> },
        { id: "tasks", title: t("tasks.title"), body: <Prose>{t.rich("tasks.text", tags)}</Prose> },
      ]}
    />
  );
}
