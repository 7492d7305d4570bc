import { useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { controlStyle } from "@/components/ui/input";
import type { ChannelForm } from "./use-channel-form";

/** The headers that are sent to the upstream beside the relay's own. */
export function HeadersField({ form }: { form: ChannelForm }) {
  const t = useTranslations("operator.channels");
  const { error, ...control } = form.field("headers");
  return (
    <Field label={t("headers")} hint={t("headersHint")} error={error}>
      {(named) => (
        <textarea
          rows={3}
          className={`${controlStyle} px-3 py-2 font-mono text-sm`}
          autoComplete="off"
          spellCheck={false}
          placeholder={t("headersExample")}
          {...control}
          {...named}
        />
      )}
    </Field>
  );
}
