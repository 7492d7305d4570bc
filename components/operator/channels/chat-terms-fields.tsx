import { useTranslations } from "next-intl";
import { SelectField, TextField } from "@/components/forms/text-field";
import { Options } from "@/components/ui/input";
import { streamSettings } from "@/lib/contract/channel-profile";
import { outputCaps } from "@/lib/contract/chat-fields";
import type { ChannelForm } from "./use-channel-form";

/** The chat fields that are passed to this upstream, and the output cap that it honours. */
export function ChatTermsFields({ form }: { form: ChannelForm }) {
  const t = useTranslations("operator.channels");
  return (
    <div className="mt-4 grid gap-4">
      <SelectField label={t("outputCap")} hint={t("hints.outputCap")} {...form.field("outputCap")}>
        <Options
          of={["", ...outputCaps] as const}
          name={(cap) => t(`outputCaps.${cap === "" ? "protocol" : cap}`)}
        />
      </SelectField>
      <SelectField label={t("streams")} hint={t("hints.streams")} {...form.field("streams")}>
        <Options of={streamSettings} name={(setting) => t(`streamSettings.${setting}`)} />
      </SelectField>
      <TextField
        label={t("allowedFields")}
        hint={t("hints.allowedFields")}
        spellCheck={false}
        placeholder={t("allowedFieldsExample")}
        {...form.field("allowedFields")}
      />
    </div>
  );
}
