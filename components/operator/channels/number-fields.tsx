"use client";

import { useTranslations } from "next-intl";
import { TextField } from "@/components/forms/text-field";
import { numberFields } from "./channel-form";
import type { ChannelForm } from "./use-channel-form";

/** How much of a channel is used, when it is tried, and how long it may take. */
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
