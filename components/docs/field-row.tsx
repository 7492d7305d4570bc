import { useFormatter, useTranslations } from "next-intl";
import type { Field } from "@/lib/contract/reference-fields";
import { limitText, typeText } from "./field-text";

/** A field's name, sentence, type, values, limits and default. */
export function FieldRow({ field, isAnswer }: { field: Field; isAnswer: boolean }) {
  const t = useTranslations("reference");
  const format = useFormatter();
  const { name, types, values, defaultValue, limits, isRequired, description, when } = field;
  const isMarked = isAnswer ? !isRequired : isRequired;
  return (
    <div className="grid gap-x-4 gap-y-0.5 border-b py-2 sm:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]">
      <dt className="[overflow-wrap:anywhere]">
        <code>{name}</code>
        {isMarked ? (
          <span className="ml-2 text-muted text-xs">{t(isAnswer ? "optional" : "required")}</span>
        ) : null}
      </dt>
      <dd className="min-w-0 break-words">
        <p>{description}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-muted text-xs">
          <span>{typeText(t, format, types)}</span>
          {values.length > 0 ? (
            <span>
              {t("oneOf")}{" "}
              {values.map((value, place) => (
                <span key={value}>
                  {place > 0 ? ", " : null}
                  <code className="[overflow-wrap:anywhere]">{value}</code>
                </span>
              ))}
            </span>
          ) : null}
          {limits.map((limit) => (
            <span key={JSON.stringify(limit)}>{limitText(t, limit)}</span>
          ))}
          {defaultValue === null ? null : (
            <span>
              {t("default")} <code>{defaultValue}</code>
            </span>
          )}
          {when === null ? null : (
            <span>
              {t("when")} <code>{when}</code>
            </span>
          )}
        </p>
      </dd>
    </div>
  );
}
