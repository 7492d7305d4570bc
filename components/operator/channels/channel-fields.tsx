"use client";

import { useLocale, useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { Input, Select } from "@/components/ui/input";
import { exactTime } from "@/lib/client/times";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { channelProtocols } from "@/lib/contract/states";
import type { ChannelInput, ChannelProblem, Protocol } from "./channel-form";
import { ModelMapping } from "./model-mapping";

interface ChannelFieldsProps {
  channel: ChannelView | null;
  input: ChannelInput;
  onChange: (change: Partial<ChannelInput>) => void;
  errorOf: (field: ChannelProblem) => string | undefined;
}

/** Where a channel leads, with which credential, and to which models. */
export function ChannelFields({ channel, input, onChange, errorOf }: ChannelFieldsProps) {
  const t = useTranslations("operator.channels");
  const locale = useLocale();
  const setAt = channel?.credentialSetAt;
  const keyHint = setAt ? t("keySetOn", { date: exactTime(setAt, locale) }) : t(channel ? "keyNone" : "keyNever");
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("name")} error={errorOf("name")}>
          {(control) => (
            <Input
              {...control}
              maxLength={NAME_LENGTH_MAX}
              autoComplete="off"
              value={input.name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("protocol")}>
          {(control) => (
            <Select
              {...control}
              disabled={channel !== null}
              value={input.protocol}
              onChange={(event) => onChange({ protocol: event.target.value as Protocol })}
            >
              {channelProtocols.map((protocol) => (
                <option key={protocol} value={protocol}>
                  {t(`protocols.${protocol}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={t("baseUrl")} hint={t(`baseUrlHints.${input.protocol}`)} error={errorOf("baseUrl")}>
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={input.baseUrl}
            onChange={(event) => onChange({ baseUrl: event.target.value })}
          />
        )}
      </Field>
      <Field label={t(setAt ? "newKey" : "key")} hint={keyHint} error={errorOf("apiKey")}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            spellCheck={false}
            value={input.apiKey}
            onChange={(event) => onChange({ apiKey: event.target.value })}
          />
        )}
      </Field>
      <ModelMapping protocol={input.protocol} models={input.models} error={errorOf("models")} onChange={(models) => onChange({ models })} />
    </>
  );
}
