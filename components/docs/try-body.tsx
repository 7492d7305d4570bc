import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { Field } from "@/components/ui/field";
import { controlStyle, Select } from "@/components/ui/input";
import type { TryCall } from "./try-call";
import type { TryFieldValues } from "./use-try-fields";

/** The body as text, which an example fills in. */
export function TryBody({ call, fields }: { call: TryCall; fields: TryFieldValues }) {
  const t = useTranslations("tryIt");
  const { body } = fields;
  if (body === null) return null;
  return (
    <>
      {call.bodies.length > 1 ? (
        <Field label={t("example")}>
          {(control) => (
            <Select {...control} onChange={({ target }) => fields.setBody(target.value)}>
              {call.bodies.map(({ title, text }) => (
                <option key={title} value={text}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      <Field label={t("body")} error={fields.isBodyRight ? undefined : t("notJson")}>
        {(control) => (
          <textarea
            {...control}
            value={body}
            onChange={({ target }) => fields.setBody(target.value)}
            rows={Math.min(16, body.split("\n").length + 1)}
            spellCheck={false}
            className={cn(controlStyle, "p-3 font-mono text-sm sm:text-sm")}
          />
        )}
      </Field>
    </>
  );
}
