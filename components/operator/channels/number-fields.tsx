import { useTranslations } from "next-intl";
import { TextField } from "@/components/forms/text-field";
import { numberFields } from "./channel-form";
import type { ChannelForm } from "./use-channel-form";

/** A channel's limits, priority and timeout. */
export function NumberFields({ form }: { form: ChannelForm }) {
  const t = useTranslations("operator.channels");
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {numberFields.map((field) => (
        <TextField
          key={field}
          label={t(field)}
          hint={t(`hints.${field}`)}
          isNumber
          inputMode="numeric"
          placeholder={field === "timeoutSeconds" ? t("ownTimeout") : undefined}
          {...form.field(field)}
        />
      ))}
    </div>
  );
}
