import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { snippets } from "@/lib/docs/snippets";
import { GuideFrame, Prose, sectionsOf } from "../guide-frame";
import { Sample } from "../sample";

interface StartProps {
  place: Place;
  welcomePoints: string;
  isSignedIn: boolean;
}

export function StartGuide({ place, welcomePoints, isSignedIn }: StartProps) {
  const t = useTranslations("docs.guides.start");
  return (
    <GuideFrame
      name="start"
      title={t("title")}
      lead={t("lead")}
      sections={sectionsOf(t, {
        key: (
          <>
            <Prose>
              {isSignedIn
                ? t.rich("key.signedIn", tags)
                : t.rich("key.signedOut", { ...tags, welcome: Number(welcomePoints) })}
            </Prose>
            <Sample
              title={t("key.environment")}
              code={[{ language: "curl", code: 'export RELAY_API_KEY="sk-rly-…"' }]}
            />
          </>
        ),
        call: (
          <>
            <Prose>{t.rich("call.text", tags)}</Prose>
            <Sample title={t("call.sample")} code={snippets.chat(place)} />
          </>
        ),
        cost: (
          <>
            <Prose>{t.rich("cost.text", tags)}</Prose>
            <Sample title={t("cost.sample")} code={snippets.balance(place)} />
          </>
        ),
        next: (
          <>
            <Prose>{t("next.text")}</Prose>
            <Sample title={t("next.sample")} code={snippets.models(place)} />
            <Prose>{t.rich("next.guides", tags)}</Prose>
          </>
        ),
      })}
    />
  );
}
