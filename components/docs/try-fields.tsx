import { useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { Segmented } from "@/components/ui/segmented";
import { TryBody } from "./try-body";
import type { TryCall } from "./try-call";
import type { TryFieldValues } from "./use-try-fields";

/** Who sends the request, its parameter, its query and its body. */
export function TryFields({ call, fields }: { call: TryCall; fields: TryFieldValues }) {
  const t = useTranslations("tryIt");
  return (
    <>
      {call.needsKey && call.takesSession ? (
        <Segmented
          label={t("source")}
          value={fields.source}
          onChange={fields.setSource}
          options={[
            { value: "session", label: t("session") },
            { value: "key", label: t("key") },
          ]}
          className="max-w-sm"
        />
      ) : null}
      {fields.takesKey ? (
        <Field label={t("key")} hint={t("keyNote")}>
          {(control) => (
            <PasswordInput
              {...control}
              value={fields.apiKey}
              onChange={({ target }) => fields.setApiKey(target.value)}
              autoComplete="off"
            />
          )}
        </Field>
      ) : null}
      {fields.parameterName === null ? null : (
        <Field label={<code>{fields.parameterName}</code>}>
          {(control) => (
            <Input
              {...control}
              value={fields.parameter}
              onChange={({ target }) => fields.setParameter(target.value)}
              spellCheck={false}
            />
          )}
        </Field>
      )}
      {call.query === null ? null : (
        <Field label={t("query")}>
          {(control) => (
            <Input
              {...control}
              value={fields.asked}
              onChange={({ target }) => fields.setAsked(target.value)}
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <TryBody call={call} fields={fields} />
    </>
  );
}
