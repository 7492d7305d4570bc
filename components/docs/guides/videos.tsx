import { useFormatter, useTranslations } from "next-intl";
import { FactList } from "@/components/ui/fact-list";
import { tags } from "@/components/ui/rich-text";
import { offeredModelsOf } from "@/lib/catalog/models";
import { POLLS_PER_MINUTE } from "@/lib/contract/limits";
import { taskStatuses } from "@/lib/contract/states";
import type { Place } from "@/lib/docs/code";
import { videoSnippets } from "@/lib/docs/video-snippets";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

export function VideosGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.videos");
  const sampleOf = (name: keyof typeof videoSnippets, title: string) => (
    <Sample title={title} code={videoSnippets[name](place)} />
  );
  return (
    <GuideFrame
      name="videos"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        wait: (
          <>
            <Prose>{t.rich("wait.text", tags)}</Prose>
            {sampleOf("waitingCall", t("wait.sample"))}
          </>
        ),
        task: (
          <>
            <Prose>{t.rich("task.text", { ...tags, polls: POLLS_PER_MINUTE })}</Prose>
            {sampleOf("task", t("task.sample"))}
            <Prose>{t.rich("task.same", tags)}</Prose>
          </>
        ),
        states: <States />,
        pictures: (
          <>
            <Prose>{t("pictures.first")}</Prose>
            {sampleOf("firstFrame", t("pictures.firstSample"))}
            <Prose>{t.rich("pictures.last", tags)}</Prose>
            <References />
            {sampleOf("references", t("pictures.referencesSample"))}
            <Prose>{t.rich("pictures.addresses", tags)}</Prose>
          </>
        ),
        callbacks: (
          <>
            <Prose>{t.rich("callbacks.text", tags)}</Prose>
            {sampleOf("withCallback", t("callbacks.sample"))}
            <Prose>{t.rich("callbacks.verify", tags)}</Prose>
            {sampleOf("callbackReceiver", t("callbacks.verifySample"))}
          </>
        ),
        fetch: <Prose>{t("fetch.text")}</Prose>,
      })}
    />
  );
}

function States() {
  const t = useTranslations("docs.guides.videos");
  return (
    <FactList
      facts={taskStatuses.map((state) => ({
        name: <code>{state}</code>,
        text: t.rich(`states.${state}`, tags),
      }))}
    />
  );
}

function References() {
  const withReferences = offeredModelsOf("video").filter((model) => model.referenceImagesMax > 0);
  const t = useTranslations("docs.guides.videos");
  const format = useFormatter();
  return (
    <Prose>
      {t.rich("pictures.references", {
        ...tags,
        models: format.list(withReferences.map(({ id }) => id)),
        count: Math.min(...withReferences.map(({ referenceImagesMax }) => referenceImagesMax)),
      })}
    </Prose>
  );
}
