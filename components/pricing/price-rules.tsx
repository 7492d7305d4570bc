import { useTranslations } from "next-intl";

const rules = ["unit", "rounding", "failed", "held", "text", "video", "image"] as const;

/** How a charge is computed, in words. */
export function PriceRules() {
  const t = useTranslations("pricing");
  return (
    <section aria-labelledby="rules" className="mt-14 max-w-[70ch]">
      <h2 id="rules" className="text-xl">
        {t("rules.title")}
      </h2>
      <dl className="mt-4 grid gap-4">
        {rules.map((rule) => (
          <div key={rule} className="grid gap-x-6 gap-y-0.5 sm:grid-cols-[9rem_1fr]">
            <dt className="font-medium">{t(`rules.${rule}.name`)}</dt>
            <dd className="text-muted">{t(`rules.${rule}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
