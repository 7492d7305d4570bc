import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { librarySnippets } from "@/lib/docs/library-snippets";
import { snippets } from "@/lib/docs/snippets";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

export function LibrariesGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.libraries");
  return (
    <GuideFrame
      name="libraries"
      title={t("title")}
      lead={t("lead")}
      sections={[
        ...sectionsOf(t, {
          environment: (
            <>
              <Prose>{t("environment.text")}</Prose>
              <Sample title={t("environment.sample")} code={librarySnippets.environment(place)} />
              <Sample title={t("environment.code")} code={librarySnippets.unchanged(place)} />
            </>
          ),
          openai: (
            <>
              <Prose>{t.rich("openai.text", tags)}</Prose>
              <Sample
                title={t("openai.sample")}
                code={snippets.chat(place).filter(({ language }) => language !== "curl")}
              />
            </>
          ),
        }),
        {
          id: "ai-sdk",
          title: t("aiSdk.title"),
          body: (
            <>
              <Prose>{t.rich("aiSdk.text", tags)}</Prose>
              <Sample title={t("aiSdk.sample")} code={librarySnippets.aiSdk(place)} />
            </>
          ),
        },
        ...sectionsOf(t, {
          others: <Prose>{t.rich("others.text", tags)}</Prose>,
        }),
      ]}
    />
  );
}
