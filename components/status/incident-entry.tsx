import { useLocale, useTranslations } from "next-intl";
import { LocalTime } from "@/components/ui/local-time";
import { Pill } from "@/components/ui/pill";
import { useListText } from "@/components/ui/use-list-text";
import type { IncidentUpdateView, IncidentView } from "@/lib/contract/incidents";
import { inLanguage } from "@/lib/contract/two-languages";

/** An incident: what it concerns, when, and all that was said, the newest first. */
export function IncidentEntry({ incident }: { incident: IncidentView }) {
  const listed = useListText();
  const t = useTranslations("status");
  const locale = useLocale();
  const { id, titleEn, titleZh, models, beganAt, resolvedAt, updates } = incident;
  const { text, lang } = inLanguage({ en: titleEn, zh: titleZh }, locale);
  const from = () => <LocalTime at={beganAt} />;
  const [newest, ...earlier] = updates;
  return (
    <li id={id} className="px-5 py-4.5">
      <h3 lang={lang} className="wrap-anywhere font-medium">
        {text}
      </h3>
      <p className="wrap-anywhere mt-0.5 mb-3 text-muted text-sm">
        {models.length === 0 ? t("whole") : listed(models)}
        {" · "}
        {resolvedAt === null
          ? t.rich("began", { time: from })
          : t.rich("lasted", { from, to: () => <LocalTime at={resolvedAt} /> })}
      </p>
      {newest ? <Update update={newest} /> : null}
      {earlier.length > 0 ? (
        <details className="mt-3">
          <summary className="w-fit cursor-pointer rounded-sm text-muted text-sm hover:text-ink">
            {t("updates", { count: earlier.length })}
          </summary>
          <div className="mt-3 grid gap-3">
            {earlier.map((update) => (
              <Update key={update.number} update={update} />
            ))}
          </div>
        </details>
      ) : null}
    </li>
  );
}

function Update({ update }: { update: IncidentUpdateView }) {
  const t = useTranslations("status");
  const { state, textEn, textZh, at } = update;
  const { text, lang } = inLanguage({ en: textEn, zh: textZh }, useLocale());
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted text-sm">
        <Pill tone={state === "resolved" ? "ok" : "held"}>{t(`states.${state}`)}</Pill>
        <LocalTime at={at} />
      </p>
      <p lang={lang} className="wrap-anywhere mt-1 max-w-[70ch]">
        {text}
      </p>
    </div>
  );
}
