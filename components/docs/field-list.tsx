import { useTranslations } from "next-intl";
import type { Field } from "@/lib/contract/reference";

/** The names, types and descriptions of the fields of one part of a request or an answer. */
export function FieldList({ title, fields }: { title: string; fields: readonly Field[] }) {
  const t = useTranslations("reference");
  if (fields.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 font-medium text-sm">{title}</h3>
      <dl className="grid gap-1.5 text-sm">
        {fields.map(({ name, type, isRequired, description }) => (
          <div key={name} className="grid gap-x-4 sm:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]">
            <dt className="break-words">
              <code>{name}</code>
              {isRequired ? <span className="ml-2 text-muted text-xs">{t("required")}</span> : null}
            </dt>
            <dd className="break-words text-muted">
              <code>{type}</code>
              {description ? <p>{description}</p> : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
