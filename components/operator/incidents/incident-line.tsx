import { useLocale, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { ExactTime } from "@/components/ui/exact-time";
import { Pill } from "@/components/ui/pill";
import { useListText } from "@/components/ui/use-list-text";
import type { IncidentUpdateView, IncidentView } from "@/lib/contract/incidents";
import { inLanguage } from "@/lib/contract/two-languages";

interface IncidentLineProps {
  incident: IncidentView;
  onUpdate: () => void;
}

/** An incident with all of its updates, in both languages. */
export function IncidentLine({ incident, onUpdate }: IncidentLineProps) {
  const listed = useListText();
  const t = useTranslations("operator.incidents");
  const { titleEn, titleZh, models, beganAt, updates } = incident;
  const title = inLanguage({ en: titleEn, zh: titleZh }, useLocale());
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <h3 lang={title.lang} className="wrap-anywhere font-medium">
          {title.text}
        </h3>
        <p className="wrap-anywhere text-muted text-sm">
          {models.length === 0 ? null : `${listed(models)} · `}
          {t("began")} <ExactTime at={beganAt} />
        </p>
        <ol className="mt-3 grid gap-3">
          {updates.map((update) => (
            <UpdateLine key={update.number} update={update} />
          ))}
        </ol>
      </div>
      <Button size="small" aria-label={t("updateLabel", { name: title.text })} onClick={onUpdate}>
        {t("update")}
      </Button>
    </li>
  );
}

function UpdateLine({ update }: { update: IncidentUpdateView }) {
  const t = useTranslations("operator.audit.values");
  const { state, textEn, textZh, at } = update;
  return (
    <li>
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted text-sm">
        <Pill tone={state === "resolved" ? "ok" : "held"}>{t(state)}</Pill>
        <ExactTime at={at} />
      </p>
      {textEn === null ? null : (
        <p lang="en" className="wrap-anywhere mt-1">
          {textEn}
        </p>
      )}
      {textZh === null ? null : (
        <p lang="zh-CN" className="wrap-anywhere mt-1 text-muted">
          {textZh}
        </p>
      )}
    </li>
  );
}
