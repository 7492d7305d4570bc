import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { FactList } from "@/components/ui/fact-list";
import { tags } from "@/components/ui/rich-text";
import {
  CHAT_TEXT_MEBIBYTES_MAX,
  MEDIA_BODY_MEBIBYTES_MAX,
  POLLS_PER_MINUTE,
  PROMPT_LENGTH_MAX,
  REQUESTS_PER_MINUTE_DEFAULT,
} from "@/lib/contract/limits";
import type { Place } from "@/lib/docs/code";
import { snippets } from "@/lib/docs/snippets";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

interface LimitsGuideProps {
  place: Place;
  /** The table of every model with its limits; its heading has the id `models`. */
  modelTable: ReactNode;
}

export function LimitsGuide({ place, modelTable }: LimitsGuideProps) {
  const t = useTranslations("docs.guides.limits");
  return (
    <GuideFrame
      name="limits"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        rate: (
          <>
            <Prose>
              {t.rich("rate.text", {
                ...tags,
                requests: REQUESTS_PER_MINUTE_DEFAULT,
                polls: POLLS_PER_MINUTE,
              })}
            </Prose>
            <Sample title={t("rate.sample")} code={snippets.limitHeaders(place)} />
          </>
        ),
        own: (
          <>
            <Prose>{t.rich("own.text", tags)}</Prose>
            <Sample title={t("own.sample")} code={snippets.ownKey(place)} />
          </>
        ),
        keys: <Prose>{t.rich("keys.text", tags)}</Prose>,
        upstream: <Prose>{t.rich("upstream.text", tags)}</Prose>,
        sizes: <Sizes />,
        models: (
          <>
            <Prose>{t.rich("models.text", tags)}</Prose>
            {modelTable}
          </>
        ),
      })}
    />
  );
}

function Sizes() {
  const t = useTranslations("docs.guides.limits.sizes");
  return (
    <FactList
      facts={[
        {
          name: t("body"),
          text: (
            <>
              {t("chatBody", { size: CHAT_TEXT_MEBIBYTES_MAX })}
              <br />
              {t("mediaBody", { size: MEDIA_BODY_MEBIBYTES_MAX })}
            </>
          ),
        },
        { name: t("prompt"), text: t("promptText", { count: PROMPT_LENGTH_MAX }) },
        { name: t("links"), text: t("linksText") },
        { name: t("wait"), text: t("waitText") },
        { name: t("idempotency"), text: t("idempotencyText") },
      ]}
    />
  );
}
