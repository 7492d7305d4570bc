import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { librarySnippets } from "@/lib/docs/library-snippets";
import { snippets } from "@/lib/docs/snippets";
import { GuideFrame, Prose } from "../guide-frame";
import { Sample } from "../sample";

export function LibrariesGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.libraries");
  return (
    <GuideFrame
      name="libraries"
      title={t("title")}
      lead={t("lead")}
      sections={[
        {
          id: "environment",
          title: t("environment.title"),
          body: (
            <>
              <Prose>{t("environment.text")}</Prose>
              <Sample title={t("environment.sample")} code={librarySnippets.environment(place)} />
              <Sample title={t("environment.code")} code={librarySnippets.unchanged(place)} />
            </>
          ),
        },
        {
          id: "openai",
          title: t("openai.title"),
          body: (
            <>
              <Prose>{t.rich("openai.text", tags)}</Prose>
              <Sample
                title={t("openai.sample")}
                code={snippets.chat(place).filter(({ language }) => language !== "curl")}
              />
            </>
          ),
        },
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
        {
          id: "others",
          title: t("others.title"),
          body: <Prose>{t.rich("others.text", tags)}</Prose>,
        },
      ]}
    />
  );
}
