import { useTranslations } from "next-intl";
import { TextField } from "@/components/forms/text-field";
import type { LimitsForm } from "./use-limits-form";

/** The fields of the limits that renew or count what runs. */
export function HeldLimitsFields({ form }: { form: LimitsForm }) {
  const t = useTranslations("keys");
  const { budgetDay, budgetWeek, budgetMonth } = form.watch();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        {(["budgetDay", "budgetWeek", "budgetMonth"] as const).map((name) => (
          <TextField
            key={name}
            label={t(name)}
            isNumber
            placeholder={t("noLimit")}
            {...form.field(name)}
          />
        ))}
      </div>
      {budgetDay || budgetWeek || budgetMonth ? (
        <TextField
          label={t("budgetZone")}
          hint={t("budgetZoneNote")}
          spellCheck={false}
          {...form.field("budgetZone")}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        {(["concurrentMax", "tokensPerMinute"] as const).map((name) => (
          <TextField
            key={name}
            label={t(name)}
            isNumber
            inputMode="numeric"
            placeholder={t("noLimit")}
            {...form.field(name)}
          />
        ))}
      </div>
    </>
  );
}
