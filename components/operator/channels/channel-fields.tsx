import { useLocale, useTranslations } from "next-intl";
import { SelectField, TextField } from "@/components/forms/text-field";
import { Options } from "@/components/ui/input";
import { exactTime } from "@/lib/client/times";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { channelProtocols } from "@/lib/contract/states";
import { ModelMapping } from "./model-mapping";
import type { ChannelForm } from "./use-channel-form";

interface ChannelFieldsProps {
  channel: ChannelView | null;
  form: ChannelForm;
}

/** A channel's provider, address, credential and models. */
export function ChannelFields({ channel, form }: ChannelFieldsProps) {
  const t = useTranslations("operator.channels");
  const locale = useLocale();
  const { protocol, models } = form.watch();
  const setAt = channel?.credentialSetAt;
  const keyHint = setAt
    ? t("keySetOn", { date: exactTime(setAt, locale) })
    : t(channel ? "keyNone" : "keyNever");
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t("name")} maxLength={NAME_LENGTH_MAX} {...form.field("name")} />
        <SelectField label={t("protocol")} disabled={channel !== null} {...form.field("protocol")}>
          <Options of={channelProtocols} name={(each) => t(`protocols.${each}`)} />
        </SelectField>
      </div>
      <TextField
        label={t("baseUrl")}
        hint={t(`baseUrlHints.${protocol}`)}
        type="url"
        inputMode="url"
        spellCheck={false}
        {...form.field("baseUrl")}
      />
      <TextField
        label={t(setAt ? "newKey" : "key")}
        hint={keyHint}
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        {...form.field("apiKey")}
      />
      <ModelMapping
        protocol={protocol}
        models={models}
        error={form.errorOf("models")}
        onChange={(chosen) => form.change({ models: chosen })}
      />
    </>
  );
}
